// UTF8Encoding over the stream protocol.
using System;
using System.IO;
using System.Text;

static class Adapter {
    static readonly Encoding strict = new UTF8Encoding(false, true);

    static bool Accepts(byte[] data) {
        try { strict.GetCharCount(data); return true; } catch (ArgumentException) { return false; }
    }


    static void Main() {
        Stream input = Console.OpenStandardInput();
        Stream output = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
        byte[] hello = Encoding.ASCII.GetBytes("utf8-abnf 1 modes=v,r name=mono-utf8encoding\n");
        output.Write(hello, 0, hello.Length);
        output.Flush();
        int mode = input.ReadByte();
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
                if (mode == 'r') {
                    byte[] text = Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(data));
                    output.Write(BitConverter.GetBytes(text.Length), 0, 4);
                    output.Write(text, 0, text.Length);
                } else {
                    output.WriteByte((byte)(Accepts(data) ? '1' : '0'));
                }
            }
            pending = new MemoryStream();
            pending.Write(all, at, all.Length - at);
            output.Flush();
        }
    }
}
