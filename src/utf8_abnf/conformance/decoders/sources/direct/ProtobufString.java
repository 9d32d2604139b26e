import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;

class ProtobufString {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        var message = BytesValue.of(ByteString.copyFrom(data)).toByteArray();  // as that of a string
        try {
            StringValue.parseFrom(message);
        } catch (InvalidProtocolBufferException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
