using System;
using System.IO;
using System.Text;
using System.Xml;

class Program
{
    static int Main()
    {
        var document = new MemoryStream();
        document.Write(Encoding.ASCII.GetBytes("<a>"), 0, 3);
        Console.OpenStandardInput().CopyTo(document);
        document.Write(Encoding.ASCII.GetBytes("</a>"), 0, 4);
        document.Position = 0;
        try {
            var reader = XmlReader.Create(document);
            while (reader.Read()) { }
        } catch (Exception) {
            return 11;
        }
        return 10;
    }
}
