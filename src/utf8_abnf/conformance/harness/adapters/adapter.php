<?php
// Adapter for `utf8-abnf test stream:'php adapter.php'`.
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
// [v]
function accepts(string $data): bool
{
    // TODO: call your decoder; return whether it accepts $data as UTF-8. This example accepts ASCII only.
    return !preg_match('/[^\x00-\x7F]/', $data);
}

// [p]
function first_error(string $data): ?array
{
    // TODO: return the offset and the length (0: not told) of the first error; null if there is none.
    return preg_match('/[^\x00-\x7F]/', $data, $found, PREG_OFFSET_CAPTURE) ? [$found[0][1], 1] : null;
}

// [r]
function replace(string $data): ?string
{
    // TODO: return the text as UTF-8, with U+FFFD for errors; null to reject and not replace.
    return preg_replace('/[^\x00-\x7F]/', "\u{FFFD}", $data);
}

// [s]
class Stream
{
    // TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were.
    private bool $good = true;

    public function feed(string $data): bool
    {
        return $this->good = $this->good && !preg_match('/[^\x00-\x7F]/', $data);
    }

    public function finish(): bool
    {
        return $this->good;
    }
}

// [end]
function answer(string $mode, string $data): string
{
    // [v]
    if ($mode === 'v') {
        return accepts($data) ? '1' : '0';
    }
    // [p]
    if ($mode === 'p') {
        return pack('VC', ...(first_error($data) ?? [0xFFFFFFFF, 0]));
    }
    // [r]
    if ($mode === 'r') {
        $text = replace($data);
        return $text === null ? pack('V', 0xFFFFFFFF) : pack('V', strlen($text)) . $text;
    }
    // [s]
    if ($mode === 's') {
        [$stream, $said, $count] = [new Stream(), '', unpack('V', $data)[1]];
        $at = 4 + 4 * $count;
        foreach (unpack("V$count", $data, 4) ?: [] as $size) {
            $said .= $stream->feed(substr($data, $at, $size)) ? '?' : '0';
            $at += $size;
        }
        return $said . ($stream->finish() ? '1' : '0');
    }
    // [end]
    throw new Exception($mode);
}

ini_set('display_errors', 'stderr'); // a warning on standard output would be taken for an answer
fwrite(STDOUT, "utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n");
$mode = trim(fgets(STDIN));
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
        $answers .= answer($mode, substr($pending, $at + 4, $size));
        $at += 4 + $size;
    }
    $pending = substr($pending, $at);
    fwrite(STDOUT, $answers);
}
