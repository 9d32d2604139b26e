// Libraries of the JVM over the stream protocol, in mode v: java -cp JARS Jvm.java NAME, one of those in judge() below.
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.google.common.base.Utf8;
import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import java.io.*;
import java.util.Arrays;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.lucene.util.BytesRef;

public class Jvm {
    /** Accept, reject, or answer null for data that cannot be given. */
    interface Judge { Boolean accepts(byte[] data) throws Exception; }

    static Judge judge(String name) throws Exception {
        switch (name) {
            case "control": return data -> { int sum = 0; for (byte each : data) sum += each; return (sum & 255) < 128; };
            case "guava": return data -> Utf8.isWellFormed(poisoned(data), 0, data.length);
            case "protobuf-bytestring": return data -> ByteString.copyFrom(data).isValidUtf8();
            case "netty-websocket": return Jvm::webSocket;
            case "jackson": return jackson();
            case "lucene": return Jvm::lucene;
            case "woodstox": return woodstox();
            default: throw new IllegalArgumentException(name);
        }
    }

    /** The data with one byte 80 behind them, for decoders that are told where to end. */
    static byte[] poisoned(byte[] data) {
        byte[] longer = Arrays.copyOf(data, data.length + 1);
        longer[data.length] = (byte) 0x80;
        return longer;
    }

    static boolean webSocket(byte[] data) {
        EmbeddedChannel channel = new EmbeddedChannel(new Utf8FrameValidator());
        try {
            channel.writeInbound(new TextWebSocketFrame(true, 0, Unpooled.wrappedBuffer(data)));
            return true;
        } catch (CorruptedWebSocketFrameException error) {
            return false;
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    static boolean lucene(byte[] data) {
        try {
            new BytesRef(data).utf8ToString();
            return true;
        } catch (ArrayIndexOutOfBoundsException error) {
            return false;
        }
    }

    /** The data in a JSON string. What JSON forbids is escaped; a decoder that takes it for a tail would not see it. */
    static Judge jackson() {
        JsonFactory factory = new JsonFactory();
        return data -> {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            text.write('"');
            int before = 0;
            for (byte each : data) {
                if (each >= 0 && each < 32 || each == '"' || each == '\\') {
                    if (before < 0) return null;
                    text.writeBytes(String.format("\\u%04x", (int) each).getBytes());
                } else {
                    text.write(each);
                }
                before = each;
            }
            text.write('"');
            try (var parser = factory.createParser(text.toByteArray())) {
                parser.nextToken();
                parser.getText();
                return true;
            } catch (JsonParseException error) {
                return false;
            }
        };
    }

    /** The data as the text of an element; null where XML 1.0 has no place for them. */
    static Judge woodstox() {
        XMLInputFactory factory = new com.ctc.wstx.stax.WstxInputFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        return data -> {
            if (notXml(data)) return null;
            ByteArrayOutputStream document = new ByteArrayOutputStream();
            document.writeBytes("<?xml version='1.0' encoding='UTF-8'?><a>".getBytes());
            document.writeBytes(data);
            document.writeBytes("</a>".getBytes());
            try {
                XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(document.toByteArray()));
                while (reader.hasNext()) if (reader.next() == XMLStreamReader.CHARACTERS) reader.getText();
                return true;
            } catch (XMLStreamException error) {
                return false;
            } catch (RuntimeException error) {
                if (!error.getClass().getName().startsWith("com.ctc.wstx.exc.")) throw error;  // its lazy parsing
                return false;
            }
        };
    }

    static boolean notXml(byte[] data) {
        for (int at = 0; at < data.length; at++) {
            int each = data[at] & 255;
            if (each < 32 && each != 9 && each != 10 && each != 13 || each == '<' || each == '&' || each == '>') return true;
            if (each == 0xEF && at + 2 < data.length && (data[at + 1] & 255) == 0xBF && (data[at + 2] & 254) == 0xBE) return true;
        }
        return false;
    }

    public static void main(String[] arguments) throws Exception {
        Judge judge = judge(arguments[0]);
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        out.write(("utf8-abnf 1 modes=v name=jvm-" + arguments[0] + "\n").getBytes());
        out.flush();
        while (in.read() != '\n') { }
        byte[] size = new byte[4];
        while (true) {
            if (in.available() == 0) out.flush();  // before waiting, and only then
            if (in.readNBytes(size, 0, 4) < 4) break;
            int length = (size[0] & 255) | (size[1] & 255) << 8 | (size[2] & 255) << 16 | (size[3] & 255) << 24;
            if (in.available() < length) out.flush();
            Boolean accepted = judge.accepts(in.readNBytes(length));
            out.write(accepted == null ? 'u' : accepted ? '1' : '0');
        }
        out.flush();
    }
}
