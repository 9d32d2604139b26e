// Adapter for `utf8-abnf test stream:'mono Adapter.exe'`.   Build: mcs -out:Adapter.exe Adapter.cs
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
using System;
using System.IO;
using System.Text;

static class Adapter {
    static bool Accepts(byte[] data) {
        // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
        return Array.TrueForAll(data, b => b <= 0x7F);
    }

    static void Main() {
        Stream input = Console.OpenStandardInput(), output = Console.OpenStandardOutput();
        byte[] hello = Encoding.ASCII.GetBytes("utf8-abnf 1 modes=v name=mydecoder version=1\n");
        output.Write(hello, 0, hello.Length);
        output.Flush();
        while (input.ReadByte() != '\n') { }
        byte[] pending = new byte[0], chunk = new byte[1 << 16];
        for (int got; (got = input.Read(chunk, 0, chunk.Length)) > 0;) {
            int had = pending.Length, at = 0;
            Array.Resize(ref pending, had + got);
            Array.Copy(chunk, 0, pending, had, got);
            var answers = new MemoryStream();
            while (at + 4 <= pending.Length && BitConverter.ToInt32(pending, at) <= pending.Length - at - 4) {
                byte[] data = new byte[BitConverter.ToInt32(pending, at)];
                Array.Copy(pending, at + 4, data, 0, data.Length);
                answers.WriteByte((byte)(Accepts(data) ? '1' : '0'));
                at += 4 + data.Length;
            }
            Array.Copy(pending, at, pending, 0, pending.Length - at);
            Array.Resize(ref pending, pending.Length - at);
            answers.WriteTo(output);
            output.Flush();
        }
    }
}
