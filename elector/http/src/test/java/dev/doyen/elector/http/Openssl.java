package dev.doyen.elector.http;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The program {@code openssl} as a TLS client that does not use Java's TLS. */
final class Openssl {

    /** The line with which the client reports that it starts a new handshake. */
    static final String RENEGOTIATING = "RENEGOTIATING\n";

    /** The line with which the client reports the cipher suite of a completed handshake. */
    private static final Pattern CIPHER_SUITE = Pattern.compile("Cipher is (\\S+)");

    private Openssl() {}

    static boolean isInstalled() throws InterruptedException {
        try {
            return run("", List.of("openssl", "version")).status == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns the cipher suites with which the server accepts TLS 1.2. Each handshake offers all suites of the client,
     * including weak suites, except the suites that the server has already accepted.
     */
    static List<String> acceptedCipherSuites(InetSocketAddress server) throws IOException, InterruptedException {
        var accepted = new ArrayList<String>();
        while (true) {
            var command = client(server);
            var offered = new StringBuilder("ALL:@SECLEVEL=0");
            accepted.forEach(suite -> offered.append(":!").append(suite));
            command.addAll(List.of("-tls1_2", "-cipher", offered.toString()));
            var result = run("", command);
            if (result.status != 0) {
                return accepted;
            }
            var suite = CIPHER_SUITE.matcher(result.output);
            if (!suite.find()) {
                throw new IOException("openssl does not name the cipher suite: " + result.output);
            }
            accepted.add(suite.group(1));
        }
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
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new StringBuilder();
        var in = process.getOutputStream();
        try (var out = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            // The client repeats the handshake if a read of its input begins with R.
            send(in, "R\n");
            for (int next = out.read(); next >= 0; next = out.read()) {
                output.append((char) next);
                if (output.toString().endsWith(RENEGOTIATING)) {
                    send(in, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
                }
            }
        }
        process.waitFor();
        return output.toString();
    }

    private static void send(OutputStream in, String text) {
        try {
            in.write(text.getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            // The client has ended, because the server has rejected the handshake.
        }
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
