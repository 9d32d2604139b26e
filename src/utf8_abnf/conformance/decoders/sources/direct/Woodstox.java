import java.io.*;
import javax.xml.stream.*;

class Woodstox {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        var document = new ByteArrayOutputStream();
        document.write("<a>".getBytes());
        document.write(data);
        document.write("</a>".getBytes());
        try {
            var input = new ByteArrayInputStream(document.toByteArray());
            var reader = new com.ctc.wstx.stax.WstxInputFactory().createXMLStreamReader(input, "UTF-8");
            while (reader.hasNext()) if (reader.next() == XMLStreamReader.CHARACTERS) reader.getText();
        } catch (XMLStreamException | com.ctc.wstx.exc.WstxLazyException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
