import java.io.*;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.helpers.DefaultHandler;

class Sax {
    public static void main(String[] arguments) throws Exception {
        var document = new ByteArrayOutputStream();
        document.writeBytes("<a>".getBytes());
        System.in.transferTo(document);
        document.writeBytes("</a>".getBytes());
        var input = new ByteArrayInputStream(document.toByteArray());
        try {
            SAXParserFactory.newInstance().newSAXParser().parse(input, new DefaultHandler());
        } catch (Exception error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
