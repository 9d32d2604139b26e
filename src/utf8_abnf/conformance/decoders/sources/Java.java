// Decoders of Java over the stream protocol: java Java.java NAME, one of those in decoder() below.
import java.io.*;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.*;
import javax.xml.parsers.*;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

public class Java {
    interface Judge { boolean accepts(byte[] data) throws Exception; }
    interface Text { String of(byte[] data) throws IOException; }

    /** One decoder; text is null where it does not replace, charset where it gives no positions and takes no streams. */
    record Decoder(Judge judge, Text text, Charset charset, int most) { }

    static final Charset UTF_8 = StandardCharsets.UTF_8;

    static Decoder decoder(String name) throws Exception {
        switch (name) {
            case "control": return new Decoder(data -> { int sum = 0; for (byte each : data) sum += each; return (sum & 255) < 128; }, null, null, -1);
            case "utf-8": return byCharset(UTF_8);
            case "cesu-8": return new Decoder(byCharset(Charset.forName("CESU-8")).judge, null, null, -1);  // the other modes are UTF-8's
            case "readutf": return new Decoder(Java::readUtf, null, null, 65535);
            case "class-file": return new Decoder(Java::define, null, null, 65535);
            case "xml": return new Decoder(xml(), null, null, -1);
            default: throw new IllegalArgumentException(name);
        }
    }

    static CharsetDecoder reporting(Charset charset) {
        return charset.newDecoder().onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    static Decoder byCharset(Charset charset) {
        CharsetDecoder strict = reporting(charset);
        CharsetDecoder lax = charset.newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE);
        return new Decoder(data -> {
            try {
                strict.reset().decode(ByteBuffer.wrap(data));
                return true;
            } catch (CharacterCodingException error) {
                return false;
            }
        }, data -> lax.reset().decode(ByteBuffer.wrap(data)).toString(), charset, -1);
    }

    static boolean readUtf(byte[] data) throws IOException {
        byte[] framed = new byte[data.length + 2];
        framed[0] = (byte) (data.length >> 8);
        framed[1] = (byte) data.length;
        System.arraycopy(data, 0, framed, 2, data.length);
        try {
            new DataInputStream(new ByteArrayInputStream(framed)).readUTF();
            return true;
        } catch (UTFDataFormatException error) {
            return false;
        }
    }

    /** An empty class with one constant more than it needs: CONSTANT_Utf8 with the data. */
    static boolean define(byte[] data) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(52);                              // version 8
        out.writeShort(6);                             // five constants
        out.writeByte(1); out.writeUTF("Judged");
        out.writeByte(7); out.writeShort(1);
        out.writeByte(1); out.writeUTF("java/lang/Object");
        out.writeByte(7); out.writeShort(3);
        out.writeByte(1); out.writeShort(data.length); out.write(data);
        for (int each : new int[] {0x0600, 2, 4, 0, 0, 0, 0}) out.writeShort(each);
        try {
            MethodHandles.lookup().defineHiddenClass(bytes.toByteArray(), false);
            return true;
        } catch (ClassFormatError error) {
            if (!error.getMessage().contains("UTF8")) throw error;
            return false;
        }
    }

    /** The data as the text of an element; what XML forbids beyond UTF-8 has been sorted out by then. */
    static Judge xml() throws Exception {
        SAXParser parser = SAXParserFactory.newInstance().newSAXParser();
        DefaultHandler silent = new DefaultHandler();
        return data -> {
            ByteArrayOutputStream document = new ByteArrayOutputStream();
            document.write("<?xml version='1.0' encoding='UTF-8'?><a>".getBytes(UTF_8));
            document.write(data);
            document.write("</a>".getBytes(UTF_8));
            try {
                parser.parse(new ByteArrayInputStream(document.toByteArray()), silent);
                return true;
            } catch (SAXException | CharConversionException error) {
                return false;
            }
        };
    }

    /** Tells whether XML 1.0 has no place for the data: markup, controls, U+FFFE and U+FFFF. */
    static boolean notXml(byte[] data) {
        for (int at = 0; at < data.length; at++) {
            int each = data[at] & 255;
            if (each < 32 && each != 9 && each != 10 && each != 13 || each == '<' || each == '&' || each == '>') return true;
            if (each == 0xEF && at + 2 < data.length && (data[at + 1] & 255) == 0xBF && (data[at + 2] & 254) == 0xBE) return true;
        }
        return false;
    }

    static int u32(byte[] data, int at) {
        return (data[at] & 255) | (data[at + 1] & 255) << 8 | (data[at + 2] & 255) << 16 | (data[at + 3] & 255) << 24;
    }

    static void u32(OutputStream out, int number) throws IOException {
        for (int shift = 0; shift < 32; shift += 8) out.write(number >> shift);
    }

    static void position(Charset charset, byte[] data, OutputStream out) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(data);
        CoderResult result = reporting(charset).decode(in, CharBuffer.allocate(data.length + 1), true);
        u32(out, result.isError() ? in.position() : -1);
        out.write(result.isError() ? Math.min(result.length(), 255) : 0);
    }

    static void stream(Charset charset, byte[] frame, OutputStream out) throws IOException {
        CharsetDecoder decoder = reporting(charset);
        int count = u32(frame, 0), start = 4 + 4 * count, end = start;
        ByteBuffer in = ByteBuffer.wrap(frame, start, 0);
        CharBuffer text = CharBuffer.allocate(frame.length + 1);
        boolean wrong = false;
        for (int index = 0; index < count; index++) {
            end += u32(frame, 4 + 4 * index);
            in.limit(end);
            wrong = wrong || decoder.decode(in, text, false).isError();  // what it leaves in the buffer it sees again
            out.write(wrong ? '0' : '?');
        }
        out.write(wrong || decoder.decode(in, text, true).isError() ? '0' : '1');
    }

    /** Return the text as UTF-8. A lone surrogate, of which getBytes makes '?', becomes three bytes: so it is seen. */
    static byte[] encoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.codePoints().forEach(c -> {
            byte[] three = {(byte) (0xE0 | c >> 12), (byte) (0x80 | c >> 6 & 63), (byte) (0x80 | c & 63)};
            boolean alone = c >= 0xD800 && c <= 0xDFFF;
            byte[] part = alone ? three : new String(Character.toChars(c)).getBytes(UTF_8);
            bytes.write(part, 0, part.length);
        });
        return bytes.toByteArray();
    }

    static void step(OutputStream out, char state, int offset, CharBuffer text) throws IOException {
        byte[] bytes = text == null ? new byte[0] : encoded(text.flip().toString());
        out.write(state);
        u32(out, offset);
        u32(out, text == null ? -1 : bytes.length);
        out.write(bytes);
    }

    /** Mode i. What decode() leaves in the buffer it sees again; after the end it wants a reset before it takes more. */
    static void incremental(Charset charset, byte[] frame, OutputStream out) throws IOException {
        final int finish = -1, reset = -2;
        CharsetDecoder decoder = reporting(charset);
        int count = u32(frame, 0), start = 4 + 4 * count, end = start;
        ByteBuffer in = ByteBuffer.wrap(frame, start, 0);
        boolean wrong = false, ended = false;
        for (int index = 1; index <= count; index++) {
            int size = u32(frame, 4 * index);
            if (size >= 0) end += size;
            in.limit(end);
            if (size == reset) {
                decoder.reset();
                start = end;
                in.position(end);
                wrong = ended = false;
                step(out, '1', -1, null);
            } else if (wrong || ended) {
                step(out, wrong ? '0' : 'u', -1, null);
            } else {
                CharBuffer text = CharBuffer.allocate(frame.length + 1);
                CoderResult result = decoder.decode(in, text, ended = size == finish);
                if (ended && !result.isError()) result = decoder.flush(text);
                wrong = result.isError();
                if (wrong) step(out, '0', in.position() - start, null);
                else step(out, in.hasRemaining() ? 'm' : '1', -1, text);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        Decoder decoder = decoder(name);
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        String modes = "v" + (decoder.text != null ? ",r" : "") + (decoder.charset != null ? ",p,s,i" : "");
        out.write(("utf8-abnf 1 modes=" + modes + " name=java-" + name
            + " version=" + System.getProperty("java.version") + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        int mode = in.read();
        while (in.read() != '\n') { }
        byte[] size = new byte[4];
        while (true) {
            if (in.available() == 0) out.flush();  // before waiting, and only then
            if (in.readNBytes(size, 0, 4) < 4) break;
            int length = u32(size, 0);
            if (in.available() < length) out.flush();
            byte[] data = in.readNBytes(length);
            if (mode == 'r') {
                byte[] text = encoded(decoder.text.of(data));
                u32(out, text.length);
                out.write(text);
            } else if (mode == 'p') {
                position(decoder.charset, data, out);
            } else if (mode == 's') {
                stream(decoder.charset, data, out);
            } else if (mode == 'i') {
                incremental(decoder.charset, data, out);
            } else if (decoder.most >= 0 && length > decoder.most || name.equals("xml") && notXml(data)) {
                out.write('u');
            } else {
                out.write(decoder.judge.accepts(data) ? '1' : '0');
            }
        }
        out.flush();
    }
}
