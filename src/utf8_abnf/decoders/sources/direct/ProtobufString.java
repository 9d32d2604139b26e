import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import java.io.ByteArrayOutputStream;

class ProtobufString {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        var message = new ByteArrayOutputStream();  // field 1, less than 128 bytes
        message.write(10);
        message.write(data.length);
        message.write(data);
        try {
            StringValue.parseFrom(message.toByteArray());
        } catch (InvalidProtocolBufferException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
