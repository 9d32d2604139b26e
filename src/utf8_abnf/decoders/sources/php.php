<?php
// Decoders of PHP over the stream protocol: php php.php mb-check-encoding|preg|htmlspecialchars|json-encode
$name = $argv[1];
if ($name === 'mb-check-encoding' && !function_exists('mb_check_encoding')) {
    fwrite(STDERR, "this PHP has no mbstring\n");
    exit(2);
}
$accepts = [
    'mb-check-encoding' => fn($data) => mb_check_encoding($data, 'UTF-8'),
    'preg' => fn($data) => preg_match('//u', $data) === 1,
    'htmlspecialchars' => fn($data) => $data === '' || htmlspecialchars($data, 0, 'UTF-8') !== '',
    'json-encode' => fn($data) => json_encode($data) !== false,
][$name];
$replaces = [
    'mb-check-encoding' => function ($data) { mb_substitute_character(0xFFFD); return mb_scrub($data, 'UTF-8'); },
    'htmlspecialchars' => fn($data) => htmlspecialchars_decode(htmlspecialchars($data, ENT_SUBSTITUTE, 'UTF-8')),
][$name] ?? null;

$modes = $replaces ? 'v,r' : 'v';
fwrite(STDOUT, "utf8-abnf 1 modes=$modes name=php-$name version=" . PHP_VERSION . "\n");
$mode = trim(fgets(STDIN));
$pending = '';
stream_set_blocking(STDIN, false); // else fread waits until it has all that it was asked for
while (!feof(STDIN)) {
    [$ready, $none] = [[STDIN], null];
    stream_select($ready, $none, $none, null);
    $more = fread(STDIN, 65536);
    $pending .= $more;
    $at = 0;
    $out = '';
    while ($at + 4 <= strlen($pending)) {
        $size = unpack('V', $pending, $at)[1];
        if ($at + 4 + $size > strlen($pending)) break;
        $data = substr($pending, $at + 4, $size);
        if ($mode === 'r') {
            $text = $replaces($data);
            $out .= pack('V', strlen($text)) . $text;
        } else {
            $out .= $accepts($data) ? '1' : '0';
        }
        $at += 4 + $size;
    }
    $pending = substr($pending, $at);
    fwrite(STDOUT, $out);
}
