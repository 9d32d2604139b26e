"""C# on Mono: UTF8Encoding that throws, its positions, replacement and streams; StreamReader and XmlReader."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, code: str, refuses: str = "") -> Decoder:
    source = (
        "using System;using System.IO;using System.Text;class A{static int Main(){var m=new MemoryStream();"
        "Console.OpenStandardInput().CopyTo(m);var d=m.ToArray();"
        f"try{{{code}}}catch(Exception){{return 11;}}return 10;}}}}"
    )
    return Decoder(
        f"mono-{name}",
        about,
        "mcs",
        ("mono", "{binary}", name),
        refuses=refuses,
        source="csharp.cs",
        build=("{program}", "-optimize", "-r:System.Xml", "-out:{output}", "{source}"),
        version=("mono", "--version"),
        install="apt:mono-mcs apt:mono-runtime",
        direct=from_file("a.cs", source, "mcs -r:System.Xml $t/a.cs&&mono $t/a.exe"),
    )


DECODERS = (
    _row(
        "utf8encoding",
        "new UTF8Encoding(false, true), its Decoder for mode s; GetString of Encoding.UTF8 for mode r",
        "new UTF8Encoding(false,true).GetCharCount(d);",
    ),
    _row(
        "streamreader",
        "new StreamReader(stream, new UTF8Encoding(false)), judged by whether the text gives the same bytes again",
        "var t=new StreamReader(new MemoryStream(d),new UTF8Encoding(false),false).ReadToEnd();"
        "if(BitConverter.ToString(d)!=BitConverter.ToString(Encoding.UTF8.GetBytes(t)))return 11;",
    ),
    _row(
        "xml",
        "XmlReader.Create, the data as the text of an element",
        'var x=System.Xml.XmlReader.Create(new MemoryStream(Encoding.GetEncoding(28591).GetBytes("<a>"+'
        'Encoding.GetEncoding(28591).GetString(d)+"</a>")));while(x.Read());',
        "markup, controls, U+FFFE and U+FFFF: no XML 1.0 Char, or not as text",
    ),
)
