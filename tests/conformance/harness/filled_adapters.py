"""What a user might write into the adapter templates: a decoder that is right in all four modes.

It is there for languages whose strings are of UTF-16, and for C. For each language pairs of a text of the template, and
what stands in its place. A stream keeps its pieces, and judges them at the end.
"""

# RFC 3629 section 4, for languages whose own decoder does not tell where an error is.
CHARACTER = (
    r"[\x00-\x7F]|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|"
    r"\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2}"
)
# The length of the character at p, or of the maximal subpart there; it returns whether it is a character.
CHARACTER_AT = """\
static int character_at(const uint8_t *p, size_t n, size_t *length) {
    uint8_t a = p[0];
    uint8_t low = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80, high = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
    size_t need = a < 0x80 ? 1 : a < 0xC2 ? 0 : a < 0xE0 ? 2 : a < 0xF0 ? 3 : a < 0xF5 ? 4 : 0;
    for (*length = 1; *length < need && *length < n && p[*length] >= low && p[*length] <= high; ++*length)
        low = 0x80, high = 0xBF;
    return *length == need;
}

"""
C_SHARP = (
    ("using System.Text;", "using System.Text;\nusing System.Text.RegularExpressions;"),
    ("return Array.TrueForAll(data, b => b <= 0x7F);", "int length; return FirstError(data, out length) < 0;"),
    (
        """\
        int offset = Array.FindIndex(data, b => b > 0x7F);
        length = offset < 0 ? 0 : 1;
        return offset;
""",
        """\
        length = 0;
        byte[] text = Encoding.UTF8.GetBytes(Replace(data));
        int at = 0;
        while (at < data.Length && at < text.Length && text[at] == data[at]) at++;
        if (at == data.Length && at == text.Length) return -1;
        while (at > 0 && at < text.Length && (text[at] & 0xC0) == 0x80) at--;
        return at;
""",
    ),
    (
        'return string.Concat(Array.ConvertAll(data, b => b > 0x7F ? "\\uFFFD" : ((char)b).ToString()));',
        f"""\
Encoding latin1 = Encoding.GetEncoding("ISO-8859-1");
        string text = Regex.Replace(latin1.GetString(data), @"({CHARACTER})|.",
            found => found.Groups[1].Success ? found.Value : "\\u00EF\\u00BF\\u00BD", RegexOptions.Singleline);
        return Encoding.UTF8.GetString(latin1.GetBytes(text));""",
    ),
    ("bool good = true;", "MemoryStream text = new MemoryStream();"),
    ("return good = good && Array.TrueForAll(data, b => b <= 0x7F);", "text.Write(data, 0, data.Length); return true;"),
    ("return good;", "return Accepts(text.ToArray());"),
)
FILLED = {
    "c": (
        ("static int accepts(", CHARACTER_AT + "static int accepts("),
        (
            "    while (size && data[size - 1] <= 0x7F) size--;\n    return size == 0;\n",
            """\
    for (size_t at = 0, length; at < size; at += length)
        if (!character_at(data + at, size - at, &length)) return 0;
    return 1;
""",
        ),
        (
            """\
    *length = 1;
    for (size_t at = 0; at < size; at++)
        if (data[at] > 0x7F) return (int64_t)at;
""",
            """\
    for (size_t at = 0, long_; at < size; at += long_)
        if (!character_at(data + at, size - at, &long_)) return *length = (int)long_, (int64_t)at;
""",
        ),
        (
            """\
    for (size_t at = 0; at < size; at++) {
        if (data[at] > 0x7F) memcpy(text + end, "\\xEF\\xBF\\xBD", 3);
        else text[end] = data[at];
        end += data[at] > 0x7F ? 3 : 1;
    }
""",
            """\
    for (size_t at = 0, length; at < size; at += length) {
        int good = character_at(data + at, size - at, &length);
        memcpy(text + end, good ? (const char *)data + at : "\\xEF\\xBF\\xBD", good ? length : 3);
        end += good ? length : 3;
    }
""",
        ),
        ("struct stream { int wrong; };", "struct stream { uint8_t text[1 << 20]; size_t size; };"),
        ("stream->wrong = 0;", "stream->size = 0;"),
        (
            "    while (size) stream->wrong |= data[--size] > 0x7F;\n    return !stream->wrong;\n",
            "    memcpy(stream->text + stream->size, data, size);\n    stream->size += size;\n    return 1;\n",
        ),
        ("return !stream->wrong;", "return accepts(stream->text, stream->size);"),
    ),
    "java": (
        ("import java.io.*;", "import java.io.*;\nimport java.nio.*;\nimport java.nio.charset.*;"),
        (
            "        for (byte b : data) if (b < 0) return false;\n        return true;\n",
            "        return firstError(data) == null;\n",
        ),
        (
            """\
        for (int at = 0; at < data.length; at++) if (data[at] < 0) return new int[] {at, 1};
        return null;
""",
            """\
        ByteBuffer in = ByteBuffer.wrap(data);
        CoderResult found = StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(data.length), true);
        return found.isError() ? new int[] {in.position(), 0} : null;
""",
        ),
        (
            """\
        StringBuilder text = new StringBuilder();
        for (byte b : data) text.append(b < 0 ? '\\uFFFD' : (char) b);
        return text.toString();
""",
            "        return new String(data, StandardCharsets.UTF_8);\n",
        ),
        ("boolean wrong;", "ByteArrayOutputStream text = new ByteArrayOutputStream();"),
        (
            "            for (byte b : data) wrong |= b < 0;\n            return !wrong;\n",
            "            text.write(data, 0, data.length);\n            return true;\n",
        ),
        ("return !wrong;", "return accepts(text.toByteArray());"),
    ),
    "javascript": (
        ("return data.every((byte) => byte <= 0x7f);", "return firstError(data) === null;"),
        (
            """\
  const offset = data.findIndex((byte) => byte > 0x7f);
  return offset < 0 ? null : [offset, 1];
""",
            """\
  const text = Buffer.from(replace(data));
  let at = 0;
  while (at < data.length && text[at] === data[at]) at++;
  if (at === data.length && at === text.length) return null;
  while (at > 0 && (text[at] & 0xc0) === 0x80) at--;
  return [at, 0];
""",
        ),
        (
            'Array.from(data, (byte) => (byte > 0x7f ? "\\uFFFD" : String.fromCharCode(byte))).join("")',
            'new TextDecoder("utf-8", { ignoreBOM: true }).decode(data)',
        ),
        ("wrong = false;", "text = [];"),
        (
            "    this.wrong ||= data.some((byte) => byte > 0x7f);\n    return !this.wrong;\n",
            "    this.text.push(Buffer.from(data));\n    return true;\n",
        ),
        ("return !this.wrong;", "return accepts(Buffer.concat(this.text));"),
    ),
    "c#": C_SHARP,
    "dotnet": C_SHARP,
}


def filled(language: str, text: str) -> str:
    """Return the template *text* of *language* with a right decoder in it."""
    for old, new in FILLED[language]:
        assert old in text, f"{language}: the template no longer has {old!r}"
        text = text.replace(old, new, 1)
    return text
