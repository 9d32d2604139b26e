using System;
using System.IO;
using System.Text;

class Program
{
    static int Main()
    {
        var data = new MemoryStream();
        Console.OpenStandardInput().CopyTo(data);
        data.Position = 0;
        try {
            var text = new StreamReader(data, new UTF8Encoding(false), false).ReadToEnd();
            var bytes = Encoding.UTF8.GetBytes(text);
            return BitConverter.ToString(data.ToArray()) == BitConverter.ToString(bytes) ? 10 : 11;
        } catch (Exception) {
            return 11;
        }
    }
}
