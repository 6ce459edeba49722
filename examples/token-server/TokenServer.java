import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class TokenServer {
    static final String[] KEY = System.getenv("HUB_KEY").split(":", 2); // appId.keyId:secret
    static final Map<String, String> USERS = Map.of("session=1b9e", "ann"); // the sessions of your application

    public static void main(String[] args) throws Exception {
        var server = HttpServer.create(new InetSocketAddress("localhost", Integer.parseInt(args[0])), 0);
        server.createContext("/token", exchange -> {
            String user = USERS.get(String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")));
            byte[] answer = user == null ? new byte[0] : token(user).getBytes();
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(user == null ? 401 : 200, user == null ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        System.out.println("http://localhost:" + server.getAddress().getPort() + "/token");
    }

    static String token(String user) {
        long now = System.currentTimeMillis() / 1000;
        String signed = encode("{\"alg\":\"HS256\",\"kid\":\"%s\"}".formatted(KEY[0]).getBytes()) + "." + encode("""
                {"iat": %d, "exp": %d, "x-ably-clientId": "%s",
                 "x-ably-capability": "{\\"orders\\":[\\"subscribe\\",\\"publish\\",\\"presence\\",\\"lead\\"]}"}
                """.formatted(now, now + 3600, user).getBytes());
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY[1].getBytes(), "HmacSHA256"));
            return signed + "." + encode(mac.doFinal(signed.getBytes()));
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
