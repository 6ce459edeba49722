package dev.doyen.postgresserver;

import com.sun.security.auth.module.UnixSystem;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real PostgreSQL server on a port of this machine.
 *
 * <p>The server has the durability of a default installation. By default, the server of the embedded library does not
 * wait for the disk, and would lose the last commits after kill -9.
 *
 * <p>Threads: the thread of one test. The server ends with {@link #close}, or when this JVM ends normally. Its data
 * remain on the disk.
 */
public final class PostgresServer implements AutoCloseable {

    /** The limit for the start of a server. The library's default of 10 s is too short on a busy machine. */
    private static final Duration STARTUP = Duration.ofMinutes(2);

    private final Path data;
    private final Map<String, String> settings;
    private EmbeddedPostgres running;

    private PostgresServer(Path data, Map<String, String> settings, EmbeddedPostgres running) {
        this.data = data;
        this.settings = settings;
        this.running = running;
    }

    /** Starts a server on a free port with default settings. */
    public static PostgresServer start(Path data) throws IOException {
        return start(data, 0, Map.of());
    }

    /**
     * Starts a server. Skips the test and prints the reason if PostgreSQL cannot run as this user.
     *
     * @param port the port to listen on; 0 for any free port
     */
    public static PostgresServer start(Path data, int port, Map<String, String> settings) throws IOException {
        assumeMayRun();
        return new PostgresServer(data, settings, run(data, port, settings));
    }

    /**
     * Skips the test if PostgreSQL cannot run as this user.
     *
     * <p>PostgreSQL does not run as root. If user namespaces are available, root can run PostgreSQL as an ordinary user
     * in a new namespace.
     */
    private static void assumeMayRun() {
        if (File.separatorChar == '/' && new UnixSystem().getUid() == 0 && !LinuxUtils.isUnshareAvailable()) {
            String message = "PostgreSQL does not run as root, and this machine gives root no user namespace"
                    + " (unshare -U is refused); run as another user";
            System.out.println("SKIPPED: " + message);
            Assumptions.abort(message);
        }
    }

    private static EmbeddedPostgres run(Path data, int port, Map<String, String> settings) throws IOException {
        var builder = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                // After a crash the server first syncs its whole directory. The sync takes long on a busy machine.
                .setPGStartupWait(STARTUP)
                .setDataDirectory(data)
                .setCleanDataDirectory(false);
        settings.forEach(builder::setServerConfig);
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    public int port() {
        return running.getPort();
    }

    /** Returns the JDBC URL. */
    public String url() {
        return url("127.0.0.1", port());
    }

    /** Returns a JDBC URL that connects through another host and port, such as a proxy. */
    public static String url(String host, int port) {
        return "jdbc:postgresql://" + host + ":" + port + "/postgres?user=postgres";
    }

    /** Returns the postmaster and all its descendants. */
    public Stream<ProcessHandle> processes() throws IOException {
        ProcessHandle postmaster = postmaster();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants());
    }

    private ProcessHandle postmaster() throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    /** Kills the postmaster with SIGKILL, and waits until it has ended. */
    public void crash() throws IOException {
        ProcessHandle postmaster = postmaster();
        postmaster.destroyForcibly();
        postmaster.onExit().join();
        running.close();
    }

    /**
     * Starts the server again after {@link #crash}.
     *
     * <p>The server uses the same port and the data that the crash left on the disk.
     */
    public void restart() throws IOException {
        running = run(data, port(), settings);
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
