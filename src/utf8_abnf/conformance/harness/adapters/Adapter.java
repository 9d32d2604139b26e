// Adapter for `utf8-abnf test stream:'java Adapter'`.   Build: javac Adapter.java
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
import java.io.*;

public class Adapter {
    // [v]
    static boolean accepts(byte[] data) {
        // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
        for (byte b : data) if (b < 0) return false;
        return true;
    }

    // [p]
    static int[] firstError(byte[] data) {
        // TODO: return the offset and the length (0: not told) of the first error; null if there is none.
        for (int at = 0; at < data.length; at++) if (data[at] < 0) return new int[] {at, 1};
        return null;
    }

    // [r]
    static String replace(byte[] data) {
        // TODO: return the text, with U+FFFD for errors; null to reject and not replace.
        StringBuilder text = new StringBuilder();
        for (byte b : data) text.append(b < 0 ? '\uFFFD' : (char) b);
        return text.toString();
    }

    /** Return the text as UTF-8. A lone surrogate, of which getBytes makes '?', becomes three bytes: so it is seen. */
    static byte[] encoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.codePoints().forEach(c -> {
            byte[] three = {(byte) (0xE0 | c >> 12), (byte) (0x80 | c >> 6 & 63), (byte) (0x80 | c & 63)};
            boolean alone = c >= 0xD800 && c <= 0xDFFF;
            byte[] part = alone ? three : new String(Character.toChars(c)).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            bytes.write(part, 0, part.length);
        });
        return bytes.toByteArray();
    }

    // [s]
    /** TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were. */
    static class Stream {
        boolean wrong;
        boolean feed(byte[] data) {
            for (byte b : data) wrong |= b < 0;
            return !wrong;
        }
        boolean finish() { return !wrong; }
    }

    // [end]
    static int number(byte[] data, int at) {
        return (data[at] & 255) | (data[at + 1] & 255) << 8 | (data[at + 2] & 255) << 16 | (data[at + 3] & 255) << 24;
    }

    // [pr]
    static void putNumber(OutputStream out, int value) throws IOException {
        for (int shift = 0; shift < 32; shift += 8) out.write(value >> shift);
    }

    // [end]
    static void answer(OutputStream out, int mode, byte[] data) throws IOException {
        // [v]
        if (mode == 'v') out.write(accepts(data) ? '1' : '0');
        // [p]
        if (mode == 'p') {
            int[] error = firstError(data);
            putNumber(out, error == null ? -1 : error[0]);
            out.write(error == null ? 0 : error[1]);
        }
        // [r]
        if (mode == 'r') {
            String text = replace(data);
            byte[] bytes = text == null ? new byte[0] : encoded(text);
            putNumber(out, text == null ? -1 : bytes.length);
            out.write(bytes);
        }
        // [s]
        if (mode == 's') {
            Stream stream = new Stream();
            int count = number(data, 0), at = 4 + 4 * count;
            for (int i = 1; i <= count; i++) {
                int end = at + number(data, 4 * i);
                out.write(stream.feed(java.util.Arrays.copyOfRange(data, at, end)) ? '?' : '0');
                at = end;
            }
            out.write(stream.finish() ? '1' : '0');
        }
        // [end]
    }

    public static void main(String[] arguments) throws IOException {
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        out.write("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n".getBytes("US-ASCII"));
        out.flush();
        int mode = in.read();
        while (in.read() != '\n') { }
        byte[] size = new byte[4];
        while (true) {
            if (in.available() < 4) out.flush();  // there may be no more input for now: write the answers
            if (in.readNBytes(size, 0, 4) < 4) break;
            int length = number(size, 0);
            if (in.available() < length) out.flush();
            answer(out, mode, in.readNBytes(length));
        }
        out.flush();
    }
}
