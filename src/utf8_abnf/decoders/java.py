"""Java: the charset UTF-8 and what else reads it, CESU-8, and the modified UTF-8 of DataInputStream and class files."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, direct: str, claim: str = "UTF-8", refuses: str = "") -> Decoder:
    return Decoder(
        f"java-{name}",
        about,
        "java",
        # Single-file source launch: needs the compiler in the JDK, but leaves nothing behind.
        ("{program}", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "{source}", name),
        claim=claim,
        refuses=refuses,
        source="Java.java",
        version=("{program}", "-version"),
        install="apt:default-jdk-headless",
        probe=("sh", "-c", "command -v javac"),
        direct=direct,
    )


def _direct(code: str, error: str = "Exception") -> str:
    """Return a shell command that runs *code*, ``d`` being standard input: it gives a verdict or raises *error*."""
    body = f"var d=System.in.readAllBytes();try{{{code}}}catch({error} e){{System.exit(11);}}"
    source = f"import java.io.*;class A{{public static void main(String[] x)throws Exception{{{body}}}}}"
    return from_file("A.java", source, "java $t/A.java 2>/dev/null")


def _same(text: str) -> str:
    return f'System.exit(java.util.Arrays.equals({text}.getBytes("UTF-8"),d)?10:11);'


def _decode(charset: str) -> str:
    wrapped = "java.nio.ByteBuffer.wrap(d)"
    return _direct(f'java.nio.charset.Charset.forName("{charset}").newDecoder().decode({wrapped});System.exit(10);')


MODIFIED = "modified UTF-8 (java.io.DataInput)"
LENGTH = "more than 65535 bytes: a length has 16 bits"
XML = "markup, controls, U+FFFE and U+FFFF: no XML 1.0 Char, or not as text"

DECODERS = (
    _row(
        "utf-8",
        "Charset UTF-8, newDecoder() that REPORTs, and one that REPLACEs for mode r",
        _decode("UTF-8"),
    ),
    _row(
        "cesu-8",
        "Charset CESU-8, newDecoder() that REPORTs, and one that REPLACEs for mode r",
        _decode("CESU-8"),
        "CESU-8",
    ),
    _row(
        "new-string",
        "new String(data, UTF_8), judged by whether the text gives the same bytes again",
        _direct(_same('new String(d,"UTF-8")')),
    ),
    _row(
        "inputstreamreader",
        "new InputStreamReader(stream, UTF_8), judged by whether the text gives the same bytes again",
        _direct(
            "var w=new StringWriter();"
            'new InputStreamReader(new ByteArrayInputStream(d),"UTF-8").transferTo(w);' + _same("w.toString()")
        ),
    ),
    _row(
        "files-readstring",
        "Files.readString of a temporary file",
        _direct(
            'var f=new File(x[0],"f").toPath();java.nio.file.Files.write(f,d);'
            "java.nio.file.Files.readString(f);System.exit(10);",
            "java.nio.charset.CharacterCodingException",
        ).replace("java $t/A.java", "java $t/A.java $t"),
    ),
    _row(
        "xml",
        "SAXParser (Xerces in the JDK), the data as the text of an element",
        _direct(
            "var s=new SequenceInputStream(new SequenceInputStream(new StringBufferInputStream("
            '"<a>"),new ByteArrayInputStream(d)),new StringBufferInputStream("</a>"));'
            "javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser().parse("
            "s,new org.xml.sax.helpers.DefaultHandler());System.exit(10);"
        ),
        refuses=XML,
    ),
    _row(
        "readutf",
        "DataInputStream.readUTF",
        _direct(
            "var o=new ByteArrayOutputStream();var p=new DataOutputStream(o);p.writeShort(d.length);p.write(d);"
            "new DataInputStream(new ByteArrayInputStream(o.toByteArray())).readUTF();System.exit(10);",
            "UTFDataFormatException",
        ),
        MODIFIED,
        LENGTH,
    ),
    _row(
        "class-file",
        "a class with the data as CONSTANT_Utf8 in its constant pool, defined by Lookup.defineHiddenClass",
        _direct(
            "var o=new ByteArrayOutputStream();var p=new DataOutputStream(o);p.writeInt(0xCAFEBABE);p.writeInt(52);"
            'p.writeShort(6);p.writeByte(1);p.writeUTF("B");p.writeByte(7);p.writeShort(1);p.writeByte(1);'
            'p.writeUTF("java/lang/Object");p.writeByte(7);p.writeShort(3);p.writeByte(1);p.writeShort(d.length);'
            "p.write(d);for(int i:new int[]{1536,2,4,0,0,0,0})p.writeShort(i);new ClassLoader(){void f(byte[] b)"
            "{defineClass(null,b,0,b.length);}}.f(o.toByteArray());System.exit(10);",
            "ClassFormatError",
        ),
        "modified UTF-8 (The Java Virtual Machine Specification, 4.4.7)",
        LENGTH,
    ),
)
