package dev.doyen.elector.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The program {@code openssl} as a TLS client that does not use Java's TLS. */
final class Openssl {

    private Openssl() {}

    static boolean isInstalled() throws InterruptedException {
        try {
            return run("", List.of("openssl", "version")).status == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the cipher suites of TLS 1.2 and earlier that the client supports, including weak ones. */
    static List<String> cipherSuites() throws IOException, InterruptedException {
        var result = run("", List.of("openssl", "ciphers", "-s", "-tls1_2", "ALL:@SECLEVEL=0"));
        return List.of(result.output.strip().split(":"));
    }

    /** Performs a handshake with these options. Returns true if the server has accepted it. */
    static boolean accepts(InetSocketAddress server, String... options) throws IOException, InterruptedException {
        var command = client(server);
        command.addAll(List.of(options));
        if (!command.contains("-cipher")) {
            command.addAll(List.of("-cipher", "ALL:@SECLEVEL=0"));
        }
        return run("", command).status == 0;
    }

    /** Asks the server for a new handshake on the same connection, and then sends a request. Returns the output. */
    static String renegotiate(InetSocketAddress server) throws IOException, InterruptedException {
        var command = client(server);
        command.addAll(List.of("-tls1_2", "-legacy_renegotiation"));
        return run("R\nGET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", command).output;
    }

    private static List<String> client(InetSocketAddress server) {
        return new ArrayList<>(List.of(
                "openssl", "s_client", "-connect", server.getAddress().getHostAddress() + ":" + server.getPort()));
    }

    private record Result(int status, String output) {}

    private static Result run(String input, List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The program has ended before it read its input.
        }
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
