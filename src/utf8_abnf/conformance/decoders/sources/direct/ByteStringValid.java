import com.google.protobuf.ByteString;

class ByteStringValid {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        System.exit(ByteString.copyFrom(data).isValidUtf8() ? 10 : 11);
    }
}
