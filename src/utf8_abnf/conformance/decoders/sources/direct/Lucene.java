import org.apache.lucene.util.BytesRef;

class Lucene {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        try {
            new BytesRef(data).utf8ToString();
        } catch (ArrayIndexOutOfBoundsException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
