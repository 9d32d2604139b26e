import java.io.*;

class ReadAll {
    public static void main(String[] arguments) throws Exception {
        byte[] data = System.in.readAllBytes();
        var text = new StringWriter();
        new InputStreamReader(new ByteArrayInputStream(data), "UTF-8").transferTo(text);
        int marks = text.toString().split("\uFFFD", -1).length;
        int before = new String(data, "ISO-8859-1").split("\u00EF\u00BF\u00BD", -1).length;
        System.exit(marks > before ? 11 : 10);
    }
}
