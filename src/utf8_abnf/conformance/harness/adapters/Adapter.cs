// Adapter for `utf8-abnf test stream:...`: `utf8-abnf adapter --help` says how to build and run it with Mono and .NET.
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
using System;
using System.IO;
using System.Text;

static class Adapter {
    // [v]
    static bool Accepts(byte[] data) {
        // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
        return Array.TrueForAll(data, b => b <= 0x7F);
    }

    // [p]
    static int FirstError(byte[] data, out int length) {
        // TODO: return the offset of the first error, and its length (0: not told); -1 and 0 if there is none.
        int offset = Array.FindIndex(data, b => b > 0x7F);
        length = offset < 0 ? 0 : 1;
        return offset;
    }

    // [r]
    static string Replace(byte[] data) {
        // TODO: return the text, with U+FFFD for errors; null to reject and not replace.
        return string.Concat(Array.ConvertAll(data, b => b > 0x7F ? "\uFFFD" : ((char)b).ToString()));
    }

    // Return the text as UTF-8. A lone surrogate, of which GetBytes makes U+FFFD, becomes three bytes: so it is seen.
    static byte[] Encoded(string text) {
        MemoryStream bytes = new MemoryStream();
        for (int at = 0; at < text.Length; at++) {
            char c = text[at];
            bool pair = char.IsSurrogatePair(text, at);
            byte[] part = char.IsSurrogate(c) && !pair
                ? new byte[] {(byte)(0xE0 | c >> 12), (byte)(0x80 | c >> 6 & 63), (byte)(0x80 | c & 63)}
                : Encoding.UTF8.GetBytes(text.Substring(at, pair ? 2 : 1));
            bytes.Write(part, 0, part.Length);
            if (pair) at++;
        }
        return bytes.ToArray();
    }

    // [s]
    sealed class Chunks {
        // TODO: a stream of your decoder: Feed returns false if the data are certainly wrong by now, Finish if they were.
        bool good = true;
        public bool Feed(byte[] data) { return good = good && Array.TrueForAll(data, b => b <= 0x7F); }
        public bool Finish() { return good; }
    }

    // [end]
    static byte[] Part(byte[] data, int start, int size) {
        byte[] part = new byte[size];
        Array.Copy(data, start, part, 0, size);
        return part;
    }

    static void Answer(int mode, byte[] data, MemoryStream answers) {
        // [v]
        if (mode == 'v') answers.WriteByte((byte)(Accepts(data) ? '1' : '0'));
        // [p]
        if (mode == 'p') {
            int length, offset = FirstError(data, out length);
            answers.Write(BitConverter.GetBytes(offset), 0, 4);
            answers.WriteByte((byte)length);
        }
        // [r]
        if (mode == 'r') {
            string text = Replace(data);
            byte[] bytes = Encoded(text ?? "");
            answers.Write(BitConverter.GetBytes(text == null ? -1 : bytes.Length), 0, 4);
            answers.Write(bytes, 0, bytes.Length);
        }
        // [s]
        if (mode == 's') {
            Chunks stream = new Chunks();
            int count = BitConverter.ToInt32(data, 0), at = 4 + 4 * count;
            for (int i = 1; i <= count; i++) {
                int size = BitConverter.ToInt32(data, 4 * i);
                answers.WriteByte((byte)(stream.Feed(Part(data, at, size)) ? '?' : '0'));
                at += size;
            }
            answers.WriteByte((byte)(stream.Finish() ? '1' : '0'));
        }
        // [end]
    }

    static void Main() {
        Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        byte[] hello = Encoding.ASCII.GetBytes("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n");
        output.Write(hello, 0, hello.Length);
        output.Flush();
        int mode = input.ReadByte();
        while (input.ReadByte() != '\n') { }
        byte[] pending = new byte[0], chunk = new byte[1 << 16];
        for (int got; (got = input.Read(chunk, 0, chunk.Length)) > 0;) {
            int had = pending.Length, at = 0;
            Array.Resize(ref pending, had + got);
            Array.Copy(chunk, 0, pending, had, got);
            MemoryStream answers = new MemoryStream();
            while (at + 4 <= pending.Length && BitConverter.ToInt32(pending, at) <= pending.Length - at - 4) {
                int size = BitConverter.ToInt32(pending, at);
                Answer(mode, Part(pending, at + 4, size), answers);
                at += 4 + size;
            }
            pending = Part(pending, at, pending.Length - at);
            answers.WriteTo(output);
            output.Flush();
        }
    }
}
