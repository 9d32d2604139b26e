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
            new StreamReader(data, new UTF8Encoding(false, true), false).ReadToEnd();
            return 10;
        } catch (ArgumentException) {
            return 11;
        }
    }
}
