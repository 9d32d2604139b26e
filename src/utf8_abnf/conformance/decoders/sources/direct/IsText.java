import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

class IsText {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        System.exit(ByteBufUtil.isText(Unpooled.wrappedBuffer(data), StandardCharsets.UTF_8) ? 10 : 11);
    }
}
