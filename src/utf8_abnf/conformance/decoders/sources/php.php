<?php
// Decoders of PHP over the stream protocol: php php.php NAME, a key of $accepts below.
$name = $argv[1];

// The data as a JSON string: what JSON wants escaped is escaped, every byte from 80 on is as it was.
function quoted(string $data): string {
    $escape = fn($match) => sprintf('\u%04x', ord($match[0]));
    return '"' . preg_replace_callback('/[\x00-\x1F"\\\\\x7F]/', $escape, $data) . '"';
}

// What a converter that refuses nothing rejects becomes U+FFFD; those that were in the data are no such marks.
function unmarked(string|false $text, string $data): bool {
    return $text !== false && substr_count($text, "\u{FFFD}") <= substr_count($data, "\u{FFFD}");
}

// Markup, controls, U+FFFE and U+FFFF: XML 1.0 has no place for them, or not as text.
function not_xml(string $data): bool {
    return preg_match('/[\x00-\x08\x0B\x0C\x0E-\x1F<>&]|\xEF\xBF[\xBE\xBF]/', $data) === 1;
}

$accepts = [
    'control' => fn($data) => array_sum(unpack('C*', $data)) % 256 < 128,
    'mb-check-encoding' => fn($data) => mb_check_encoding($data, 'UTF-8'),
    'mb-detect-encoding' => fn($data) => mb_detect_encoding($data, ['UTF-8'], true) === 'UTF-8',
    'preg' => fn($data) => preg_match('//u', $data) === 1,
    'htmlspecialchars' => fn($data) => $data === '' || htmlspecialchars($data, 0, 'UTF-8') !== '',
    'json-encode' => fn($data) => json_encode($data) !== false,
    'json-decode' => fn($data) => json_decode(quoted($data)) !== null,
    'iconv' => fn($data) => @iconv('UTF-8', 'UTF-16LE', $data) !== false,
    'uconverter' => fn($data) => unmarked(UConverter::transcode($data, 'UTF-8', 'UTF-8'), $data),
    'intl-grapheme' => fn($data) => grapheme_strlen($data) !== null && grapheme_strlen($data) !== false,
    'simplexml' => function ($data) {
        if (not_xml($data)) return null;
        libxml_use_internal_errors(true);
        $document = simplexml_load_string("<?xml version='1.0' encoding='UTF-8'?><a>$data</a>");
        libxml_clear_errors();
        return $document !== false;
    },
][$name];
$replaces = [
    'mb-check-encoding' => function ($data) { mb_substitute_character(0xFFFD); return mb_scrub($data, 'UTF-8'); },
    'htmlspecialchars' => fn($data) => htmlspecialchars_decode(htmlspecialchars($data, ENT_SUBSTITUTE, 'UTF-8')),
    'json-encode' => fn($data) => json_decode(json_encode($data, JSON_INVALID_UTF8_SUBSTITUTE)),
    'json-decode' => fn($data) => json_decode(quoted($data), false, 512, JSON_INVALID_UTF8_SUBSTITUTE),
    'uconverter' => fn($data) => UConverter::transcode($data, 'UTF-8', 'UTF-8', ['to_subst' => "\u{FFFD}"]),
][$name] ?? null;

$modes = $replaces ? 'v,r' : 'v';
$library = match ($name) { // the one that decodes
    'preg' => 'PCRE ' . PCRE_VERSION,
    'iconv' => 'iconv ' . ICONV_VERSION,
    'uconverter', 'intl-grapheme' => 'ICU ' . INTL_ICU_VERSION,
    'simplexml' => 'libxml2 ' . LIBXML_DOTTED_VERSION,
    default => '',
};
$version = ($library ? "$library, PHP " : '') . PHP_VERSION;
fwrite(STDOUT, "utf8-abnf 1 modes=$modes name=php-$name version='$version'\n");
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
