package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a hub on loopback behind real proxies on the same machine, with the configurations of {@code examples/proxies}.
 *
 * <p>The test sends its requests from an address of this machine that is not a loopback address. So to the proxy,
 * the test looks like a client on another machine.
 */
@Timeout(300)
class ProxiesTest {

    private static final Path EXAMPLES = Path.of("../../examples/proxies").toAbsolutePath();
    private static final String KEY = "app.id:the-secret-of-the-test";
    private static final String OTHER_KEY = "app.other:another-secret-of-the-test";

    /** The number of wrong keys from one address after which the hub rejects new clients from this address. */
    private static final int GUESSES = 40;

    /** A proxy and its configuration. */
    enum Proxy {
        /** The configuration that most pages on the internet show. It replaces Host, and adds no header. */
        NGINX_DEFAULT("nginx", "nginx-light", "", "", """
                events {}
                http { server { listen 8080; location / { proxy_pass http://127.0.0.1:8000; } } }
                """),
        NGINX("nginx", "nginx-light", "nginx.conf", "hub.yaml", ""),
        CADDY("caddy", "caddy", "Caddyfile", "hub.yaml", ""),
        HAPROXY("haproxy", "haproxy", "haproxy.cfg", "hub.yaml", ""),
        HAPROXY_TCP("haproxy", "haproxy", "haproxy-tcp.cfg", "hub-tcp.yaml", "");

        private final String program;
        private final String debianPackage;
        private final String configuration;
        private final String hubSettings;
        private final String text;

        Proxy(String program, String debianPackage, String configuration, String hubSettings, String text) {
            this.program = program;
            this.debianPackage = debianPackage;
            this.configuration = configuration;
            this.hubSettings = hubSettings;
            this.text = text;
        }

        /** Returns the configuration with these ports instead of 8080 and 8000. */
        String configuration(int port, int hubPort) throws IOException {
            String found = configuration.isEmpty() ? text : Files.readString(EXAMPLES.resolve(configuration));
            return found.replace("8080", Integer.toString(port)).replace("8000", Integer.toString(hubPort));
        }

        List<String> command(Path file, Path folder) {
            return switch (program) {
                case "nginx" ->
                    List.of(
                            "nginx",
                            "-p",
                            folder.toString(),
                            "-e",
                            folder.resolve("error.log").toString(),
                            "-c",
                            file.toString(),
                            "-g",
                            "daemon off; pid " + folder.resolve("nginx.pid") + ";");
                case "caddy" -> List.of("caddy", "run", "--config", file.toString(), "--adapter", "caddyfile");
                default -> List.of("haproxy", "-f", file.toString());
            };
        }
    }

    @TempDir
    Path folder;

    private Optional<RunningHub> hub = Optional.empty();
    private Optional<ServerProcess> server = Optional.empty();
    private String adminKey = "";
    private int hubPort;

    @AfterEach
    void end() throws InterruptedException {
        server.ifPresent(ServerProcess::close);
        if (hub.isPresent()) {
            hub.get().close();
        }
    }

    @ParameterizedTest
    @EnumSource(Proxy.class)
    void a_client_of_another_machine_can_do_nothing_without_a_key(Proxy proxy) throws Exception {
        InetSocketAddress address = start(proxy);
        String host = "Host: 127.0.0.1:" + hubPort + "\r\nOrigin: http://127.0.0.1:" + hubPort + "\r\n";

        assertThat(request(address, "GET /console/events HTTP/1.1\r\n" + host)).startsWith("HTTP/1.1 401 ");
        assertThat(request(
                        address, "POST /console/v1/elections/main/pause HTTP/1.1\r\n" + host + "Content-Length: 0\r\n"))
                .startsWith("HTTP/1.1 403 ")
                .contains("need a key");
        assertThat(request(
                        address,
                        "POST /console/v1/elections/main/pause HTTP/1.1\r\n" + host + "Authorization: Bearer "
                                + adminKey + "\r\nContent-Length: 0\r\n"))
                .as("the admin key is accepted")
                .startsWith("HTTP/1.1 2");
    }

    @ParameterizedTest
    @EnumSource(value = Proxy.class, mode = EnumSource.Mode.EXCLUDE, names = "NGINX_DEFAULT")
    void clients_connect_and_each_address_has_its_own_limits(Proxy proxy) throws Exception {
        InetSocketAddress address = start(proxy);
        var otherClient = new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort());
        assertThat(connect(address, KEY)).contains("\"action\":4");

        for (int guess = 0; guess < GUESSES; guess++) {
            connect(address, KEY + guess);
        }

        assertThat(connect(address, OTHER_KEY))
                .as("a new client at the address of the guesses is rejected")
                .contains("come from the address " + address.getAddress().getHostAddress() + ";");
        assertThat(connect(otherClient, OTHER_KEY))
                .as("a new client at another address is accepted")
                .contains("\"action\":4");
    }

    private InetSocketAddress start(Proxy proxy) throws Exception {
        ServerProcess.assumeInstalled("proxy", proxy.program, proxy.debianPackage);
        // The oldest interface comes first, because interfaces of other tests can disappear.
        Optional<InetAddress> outer = NetworkInterface.networkInterfaces()
                .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each ->
                        !each.isLoopbackAddress() && !each.isLinkLocalAddress() && each.getAddress().length == 4)
                .findFirst();
        Assumptions.assumeTrue(outer.isPresent(), "this machine has no address beyond loopback");
        startHub(proxy);
        Path file = folder.resolve("proxy.conf");
        server = Optional.of(ServerProcess.start(folder.resolve("proxy.log"), port -> {
            try {
                Files.writeString(file, proxy.configuration(port, hubPort));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            return proxy.command(file, folder);
        }));
        return new InetSocketAddress(outer.get(), server.get().port());
    }

    private void startHub(Proxy proxy) throws Exception {
        RunningHub started = RunningHub.start(
                folder,
                "keys: [{key: \"" + KEY + "\"}, {key: \"" + OTHER_KEY + "\"}]\n"
                        + "limits: {rest-requests-per-second: 4, rest-requests-at-once: 40}\n"
                        + (proxy.hubSettings.isEmpty() ? "" : Files.readString(EXAMPLES.resolve(proxy.hubSettings))));
        hub = Optional.of(started);
        hubPort = started.port();
        adminKey = started.adminKey();
    }

    private static String request(InetSocketAddress address, String head) throws IOException {
        try (var socket = new RawSocket(address)) {
            return socket.send(head + "\r\n").readResponse();
        }
    }

    /** Connects to the hub with this key, and returns the first frame. */
    private static String connect(InetSocketAddress address, String key) throws IOException {
        try (var socket = new RawWebSocket(address, "?key=" + key)) {
            return socket.read().text();
        }
    }
}
