import java.nio.charset.CharacterCodingException;
import java.nio.file.*;

class FilesReadString {
    public static void main(String[] arguments) throws Exception {
        Path file = Files.write(Path.of("data"), System.in.readAllBytes());
        try {
            Files.readString(file);
        } catch (CharacterCodingException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
