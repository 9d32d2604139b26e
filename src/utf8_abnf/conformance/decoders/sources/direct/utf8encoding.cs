using System;
using System.IO;
using System.Text;

class Program
{
    static int Main()
    {
        var data = new MemoryStream();
        Console.OpenStandardInput().CopyTo(data);
        try {
            new UTF8Encoding(false, true).GetCharCount(data.ToArray());
        } catch (Exception) {
            return 11;
        }
        return 10;
    }
}
