<?php
// Adapter for `utf8-abnf test stream:'php adapter.php'`.
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
function accepts(string $data): bool
{
    // TODO: call your decoder; return whether it accepts $data as UTF-8. This example accepts ASCII only.
    return !preg_match('/[^\x00-\x7F]/', $data);
}

ini_set('display_errors', 'stderr'); // a warning on standard output would be taken for an answer
fwrite(STDOUT, "utf8-abnf 1 modes=v name=mydecoder version=1\n");
fgets(STDIN);
stream_set_blocking(STDIN, false); // else fread waits until it has all that it was asked for
$pending = '';
while (!feof(STDIN)) {
    [$ready, $none] = [[STDIN], null];
    stream_select($ready, $none, $none, null);
    $pending .= fread(STDIN, 65536);
    $at = 0;
    $answers = '';
    while ($at + 4 <= strlen($pending)) {
        $size = unpack('V', $pending, $at)[1];
        if ($at + 4 + $size > strlen($pending)) {
            break;
        }
        $answers .= accepts(substr($pending, $at + 4, $size)) ? '1' : '0';
        $at += 4 + $size;
    }
    $pending = substr($pending, $at);
    fwrite(STDOUT, $answers);
}
