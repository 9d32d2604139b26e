import com.fasterxml.jackson.core.*;
import java.io.ByteArrayOutputStream;

class Jackson {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        var text = new ByteArrayOutputStream();
        text.write('"');
        text.write(data);
        text.write('"');
        try (var parser = new JsonFactory().createParser(text.toByteArray())) {
            parser.nextToken();
            parser.getText();
        } catch (JsonParseException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
