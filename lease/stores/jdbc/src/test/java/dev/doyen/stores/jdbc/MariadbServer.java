package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real MariaDB server of the installed package, with its own data directory. */
final class MariadbServer implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(90);

    private final Path data;
    private final int port;
    private Process running;

    /** Starts the server. If MariaDB is not installed, the constructor skips the test with a message. */
    MariadbServer(Path data) throws Exception {
        this.data = data;
        this.port = freePort();
        Optional<Path> server = program("mariadbd");
        Optional<Path> installer = program("mariadb-install-db");
        assumeTrue(
                server.isPresent() && installer.isPresent(),
                "SKIPPED: MariaDB is not installed (Debian: apt-get install mariadb-server), so nothing ran against it");
        Path log = data.resolveSibling(data.getFileName() + ".install.log");
        Process install = new ProcessBuilder(
                        installer.orElseThrow().toString(),
                        "--no-defaults",
                        "--user=" + System.getProperty("user.name"),
                        "--datadir=" + data,
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db",
                        // Without this option, the installer resolves this machine's host name.
                        "--skip-name-resolve")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(install.waitFor()).as(() -> contents(log)).isZero();
        this.running = start(server.orElseThrow());
    }

    private Process start(Path server) throws Exception {
        Path log = data.resolveSibling(data.getFileName() + ".log");
        List<String> command = new ArrayList<>(List.of(
                server.toString(),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + data,
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + socket(),
                "--pid-file=" + data.resolve("pid")));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadline = System.nanoTime() + START.toNanos();
        while (true) {
            try (Connection connection = DriverManager.getConnection(rootUrl())) {
                Dialect.execute(connection, "CREATE DATABASE IF NOT EXISTS doyen");
                return process;
            } catch (SQLException e) {
                // MariaDB does not report that it is ready, so the test repeats the connection attempt.
                if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                    process.destroyForcibly();
                    throw new IllegalStateException("MariaDB does not start: " + e + "\n" + contents(log), e);
                }
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
        }
    }

    String url() {
        return url("mariadb", port);
    }

    static String url(String scheme, int port) {
        return "jdbc:" + scheme + "://127.0.0.1:" + port + "/doyen?user=root&sslMode="
                + (scheme.equals("mysql") ? "DISABLED" : "disable");
    }

    private String rootUrl() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/?user=root&sslMode=disable";
    }

    int port() {
        return port;
    }

    long pid() {
        return running.pid();
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Kills the server with SIGKILL and starts it again on the same port. */
    void crashAndRestart() throws Exception {
        running.destroyForcibly().waitFor();
        running = start(program("mariadbd").orElseThrow());
    }

    @Override
    public void close() {
        try {
            running.destroyForcibly().waitFor();
            Files.deleteIfExists(socket());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a short path, because the path of a socket may have at most 107 bytes. */
    private Path socket() {
        return Path.of(System.getProperty("java.io.tmpdir"), "doyen-mariadb-" + port);
    }

    private static Optional<Path> program(String name) {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String contents(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
