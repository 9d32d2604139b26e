import com.google.common.base.Utf8;

class Guava {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        System.exit(Utf8.isWellFormed(data) ? 10 : 11);
    }
}
