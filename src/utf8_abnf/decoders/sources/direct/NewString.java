import java.util.Arrays;

class NewString {
    public static void main(String[] arguments) throws Exception {
        byte[] data = System.in.readAllBytes();
        System.exit(Arrays.equals(new String(data, "UTF-8").getBytes("UTF-8"), data) ? 10 : 11);
    }
}
