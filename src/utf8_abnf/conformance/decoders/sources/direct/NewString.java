class NewString {
    public static void main(String[] arguments) throws Exception {
        byte[] data = System.in.readAllBytes();
        int marks = new String(data, "UTF-8").split("\uFFFD", -1).length;
        int before = new String(data, "ISO-8859-1").split("\u00EF\u00BF\u00BD", -1).length;
        System.exit(marks > before ? 11 : 10);
    }
}
