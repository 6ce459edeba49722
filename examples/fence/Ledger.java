import com.sun.net.httpserver.HttpServer;
import dev.doyen.fence.Fence;
import dev.doyen.fence.FenceHeaders;
import dev.doyen.fence.StaleTermException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** The resource to which the leader writes. The ledger rejects a term that is lower than an earlier term. */
public class Ledger {
    public static void main(String[] args) throws Exception {
        Fence fence = Fence.inMemory();
        int port = args.length == 0 ? 0 : Integer.parseInt(args[0]);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/ledger", exchange -> {
            int status = 200;
            String answer = "written";
            try {
                String token = exchange.getRequestHeaders().getFirst(FenceHeaders.TOKEN);
                fence.admit("orders", FenceHeaders.term(token == null ? "" : token));
                System.out.println(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            } catch (StaleTermException e) {
                status = 412;
                answer = "REFUSED: fence " + e.offered() + " < " + e.seen();
            } catch (IllegalArgumentException e) {
                status = 400;
                answer = e.getMessage();
            }
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("http://localhost:" + server.getAddress().getPort() + "/ledger");
    }
}
