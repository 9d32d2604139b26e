<?php
// Decoders of PHP over the stream protocol: php php.php NAME, a key of $accepts below.
$name = $argv[1];

// The data as a JSON string: what JSON wants escaped is escaped, every byte from 80 on is as it was.
function quoted(string $data): string {
    $escape = fn($match) => sprintf('\u%04x', ord($match[0]));
    return '"' . preg_replace_callback('/[\x00-\x1F"\\\\\x7F]/', $escape, $data) . '"';
}

$accepts = [
    'control' => fn($data) => array_sum(unpack('C*', $data)) % 256 < 128,
    'mb-check-encoding' => fn($data) => mb_check_encoding($data, 'UTF-8'),
    'htmlspecialchars' => fn($data) => $data === '' || htmlspecialchars($data, 0, 'UTF-8') !== '',
    'json-encode' => fn($data) => json_encode($data) !== false,
    'json-decode' => fn($data) => json_decode(quoted($data)) !== null,
][$name];
$replaces = [
    'mb-check-encoding' => function ($data) { mb_substitute_character(0xFFFD); return mb_scrub($data, 'UTF-8'); },
    'htmlspecialchars' => fn($data) => htmlspecialchars_decode(htmlspecialchars($data, ENT_SUBSTITUTE, 'UTF-8')),
    'json-encode' => fn($data) => json_decode(json_encode($data, JSON_INVALID_UTF8_SUBSTITUTE)),
    'json-decode' => fn($data) => json_decode(quoted($data), false, 512, JSON_INVALID_UTF8_SUBSTITUTE),
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
            $out .= match ($accepts($data)) { true => '1', false => '0', null => 'u' };
        }
        $at += 4 + $size;
    }
    $pending = substr($pending, $at);
    fwrite(STDOUT, $out);
}
