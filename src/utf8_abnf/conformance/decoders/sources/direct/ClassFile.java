import java.io.*;

class ClassFile extends ClassLoader {
    public static void main(String[] arguments) throws Exception {
        byte[] data = System.in.readAllBytes();
        var bytes = new ByteArrayOutputStream();
        var output = new DataOutputStream(bytes);
        output.writeInt(0xCAFEBABE);
        output.writeInt(52); // version
        output.writeShort(6); // constants, and one more
        output.writeByte(1); // 1: CONSTANT_Utf8
        output.writeUTF("B");
        output.writeByte(7); // 2: CONSTANT_Class
        output.writeShort(1);
        output.writeByte(1); // 3
        output.writeUTF("java/lang/Object");
        output.writeByte(7); // 4
        output.writeShort(3);
        output.writeByte(1); // 5: the data
        output.writeShort(data.length);
        output.write(data);
        for (int value : new int[] {0x600, 2, 4, 0, 0, 0, 0}) // ACC_ABSTRACT | ACC_INTERFACE; class B extends Object
            output.writeShort(value);
        try {
            byte[] file = bytes.toByteArray();
            new ClassFile().defineClass(null, file, 0, file.length);
        } catch (ClassFormatError error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
