import java.io.*;
import java.util.Arrays;

class ReadAll {
    public static void main(String[] arguments) throws Exception {
        byte[] data = System.in.readAllBytes();
        var text = new StringWriter();
        try {
            new InputStreamReader(new ByteArrayInputStream(data), "UTF-8").transferTo(text);
        } catch (Exception error) {
            System.exit(11);
        }
        System.exit(Arrays.equals(text.toString().getBytes("UTF-8"), data) ? 10 : 11);
    }
}
