// Adapter for `utf8-abnf test stream:'java Adapter'`.   Build: javac Adapter.java
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
import java.io.*;

public class Adapter {
    static boolean accepts(byte[] data) {
        // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
        for (byte b : data) if (b < 0) return false;
        return true;
    }

    public static void main(String[] arguments) throws IOException {
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        out.write("utf8-abnf 1 modes=v name=mydecoder version=1\n".getBytes("US-ASCII"));
        out.flush();
        while (in.read() != '\n') { }
        byte[] size = new byte[4];
        while (true) {
            if (in.available() < 4) out.flush();  // there may be no more input for now: write the answers
            if (in.readNBytes(size, 0, 4) < 4) break;
            int length = (size[0] & 255) | (size[1] & 255) << 8 | (size[2] & 255) << 16 | (size[3] & 255) << 24;
            if (in.available() < length) out.flush();
            out.write(accepts(in.readNBytes(length)) ? '1' : '0');
        }
        out.flush();
    }
}
