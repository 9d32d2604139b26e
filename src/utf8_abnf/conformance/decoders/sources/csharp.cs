// Decoders of Mono and of .NET over the stream protocol: mono csharp.exe NAME, one of those in Accepts below.
using System;
using System.IO;
using System.Text;

static class Adapter {
    static readonly Encoding strict = new UTF8Encoding(false, true), lenient = new UTF8Encoding(false);
    static string name;

    static bool Accepts(byte[] data) {
        switch (name) {
            case "control":
                int sum = 0;
                foreach (byte each in data) sum += each;
                return (sum & 255) < 128;
            case "utf8encoding":
                try { strict.GetCharCount(data); return true; } catch (ArgumentException) { return false; }
            case "streamreader":
                try { Read(data, strict); return true; } catch (ArgumentException) { return false; }
            default:
                throw new ArgumentException(name);
        }
    }

    static string Read(byte[] data, Encoding encoding) {
        // With a buffer this small characters are cut.
        using (var reader = new StreamReader(new MemoryStream(data), encoding, false, 128)) return reader.ReadToEnd();
    }

    static void Streamed(byte[] frame, Stream output) {
        Decoder decoder = strict.GetDecoder();
        int count = BitConverter.ToInt32(frame, 0), at = 4 + 4 * count;
        char[] text = new char[frame.Length + 4];
        bool wrong = false;
        for (int index = 0; index < count; index++) {
            int size = BitConverter.ToInt32(frame, 4 + 4 * index);
            wrong = wrong || !Feeds(decoder, frame, at, size, text, false);
            output.WriteByte((byte)(wrong ? '0' : '?'));
            at += size;
        }
        output.WriteByte((byte)(wrong || !Feeds(decoder, frame, at, 0, text, true) ? '0' : '1'));
    }

    static bool Feeds(Decoder decoder, byte[] frame, int at, int size, char[] text, bool last) {
        try { decoder.GetChars(frame, at, size, text, 0, last); return true; } catch (ArgumentException) { return false; }
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

    static void Answer(char mode, byte[] data, Stream output) {
        if (mode == 'r') {
            byte[] text = Encoded(name == "streamreader" ? Read(data, lenient) : Encoding.UTF8.GetString(data));
            output.Write(BitConverter.GetBytes(text.Length), 0, 4);
            output.Write(text, 0, text.Length);
        } else if (mode == 's') {
            Streamed(data, output);
        } else {
            output.WriteByte((byte)(Accepts(data) ? '1' : '0'));
        }
    }

    static void Main(string[] arguments) {
        name = arguments[0];
        string modes = name == "utf8encoding" ? "v,r,s" : name == "streamreader" ? "v,r" : "v";
        Stream input = Console.OpenStandardInput();
        Stream output = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
        string machine = Type.GetType("Mono.Runtime") != null ? "mono-" : "dotnet-";
        string version = machine == "mono-" ? "" : " version=" + Environment.Version; // Mono's is that of its libraries
        byte[] hello = Encoding.ASCII.GetBytes("utf8-abnf 1 modes=" + modes + " name=" + machine + name + version + "\n");
        output.Write(hello, 0, hello.Length);
        output.Flush();
        char mode = (char)input.ReadByte();
        while (input.ReadByte() != '\n') { }
        var pending = new MemoryStream();
        byte[] chunk = new byte[1 << 16];
        for (int got; (got = input.Read(chunk, 0, chunk.Length)) > 0;) {
            pending.Write(chunk, 0, got);
            byte[] all = pending.ToArray();
            int at = 0;
            while (at + 4 <= all.Length && BitConverter.ToInt32(all, at) <= all.Length - at - 4) {
                byte[] data = new byte[BitConverter.ToInt32(all, at)];
                Array.Copy(all, at + 4, data, 0, data.Length);
                at += 4 + data.Length;
                Answer(mode, data, output);
            }
            pending = new MemoryStream();
            pending.Write(all, at, all.Length - at);
            output.Flush();
        }
    }
}
