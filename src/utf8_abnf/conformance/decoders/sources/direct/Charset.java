import java.nio.ByteBuffer;

class Charset {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        try {
            java.nio.charset.Charset.forName(names[0]).newDecoder().decode(ByteBuffer.wrap(data));
        } catch (Exception error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
