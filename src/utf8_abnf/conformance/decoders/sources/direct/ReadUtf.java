import java.io.*;

class ReadUtf {
    public static void main(String[] arguments) throws Exception {
        byte[] data = System.in.readAllBytes();
        var bytes = new ByteArrayOutputStream();
        var output = new DataOutputStream(bytes);
        output.writeShort(data.length);
        output.write(data);
        try {
            new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())).readUTF();
        } catch (UTFDataFormatException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
