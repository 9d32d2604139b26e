import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.*;

class WebSocket {
    public static void main(String[] names) throws Exception {
        byte[] data = System.in.readAllBytes();
        try {
            new EmbeddedChannel(new Utf8FrameValidator()).writeInbound(new TextWebSocketFrame(Unpooled.wrappedBuffer(data)));
        } catch (CorruptedWebSocketFrameException error) {
            System.exit(11);
        }
        System.exit(10);
    }
}
