// Decoders of Java over the stream protocol: java Java.java utf-8|cesu-8|readutf
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.*;

public class Java {
    static String name;
    static CharsetDecoder decoder;

    static boolean accepts(byte[] data) throws IOException {
        if (name.equals("readutf")) {
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
        try {
            decoder.reset().decode(ByteBuffer.wrap(data));
            return true;
        } catch (CharacterCodingException error) {
            return false;
        }
    }

    public static void main(String[] arguments) throws IOException {
        name = arguments[0];
        if (!name.equals("readutf")) {
            decoder = Charset.forName(name).newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT);
        }
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        out.write(("utf8-abnf 1 modes=" + (name.equals("utf-8") ? "v,r" : "v") + " name=java-" + name
            + " version=" + System.getProperty("java.version") + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        int mode = in.read();
        while (in.read() != '\n') { }
        byte[] size = new byte[4];
        while (true) {
            if (in.available() == 0) out.flush();  // before waiting, and only then
            if (in.readNBytes(size, 0, 4) < 4) break;
            int length = (size[0] & 255) | (size[1] & 255) << 8 | (size[2] & 255) << 16 | (size[3] & 255) << 24;
            if (in.available() < length) out.flush();
            byte[] data = in.readNBytes(length);
            if (mode == 'r') {
                byte[] text = new String(data, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
                for (int shift = 0; shift < 32; shift += 8) out.write(text.length >> shift);
                out.write(text);
            } else {
                out.write(name.equals("readutf") && length > 65535 ? 'u' : accepts(data) ? '1' : '0');
            }
        }
        out.flush();
    }
}
