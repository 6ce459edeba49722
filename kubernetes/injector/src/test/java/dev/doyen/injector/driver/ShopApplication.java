package dev.doyen.injector.driver;

import com.sun.net.httpserver.HttpServer;
import dev.doyen.testkit.ServerProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** An application in a separate process. It answers its liveness probe at {@code /livez}. */
final class ShopApplication {

    private ShopApplication() {}

    /** Starts the application, and returns after the application listens for requests. */
    static ServerProcess start(Path log) throws Exception {
        return ServerProcess.start(
                log,
                port -> List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShopApplication.class.getName(),
                        Integer.toString(port)));
    }

    public static void main(String[] arguments) throws Exception {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        var server = HttpServer.create(address, 0);
        server.createContext("/livez", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }
}
