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
 * A real PostgreSQL on a port of this machine, as durable as one is by default: the embedded one's own default would not
 * wait for the disk, and loses the last commits with kill -9.
 *
 * <p>Threads: one test's. It ends with {@link #close}, or with this JVM if that ends in order. Its data stay.
 */
public final class PostgresServer implements AutoCloseable {

    /** The default of 10 s is too short on a busy machine. */
    private static final Duration STARTUP = Duration.ofMinutes(2);

    private final Path data;
    private final Map<String, String> settings;
    private EmbeddedPostgres running;

    private PostgresServer(Path data, Map<String, String> settings, EmbeddedPostgres running) {
        this.data = data;
        this.settings = settings;
        this.running = running;
    }

    /** On a port that is free, with the settings it has by default. */
    public static PostgresServer start(Path data) throws IOException {
        return start(data, 0, Map.of());
    }

    /**
     * Skips the test, and says so where people look, if PostgreSQL cannot run here.
     *
     * @param port 0 for one that is free
     */
    public static PostgresServer start(Path data, int port, Map<String, String> settings) throws IOException {
        assumeMayRun();
        return new PostgresServer(data, settings, run(data, port, settings));
    }

    /** It refuses to run as root; where there are user namespaces root can be nobody in one of them. */
    private static void assumeMayRun() {
        if (File.separatorChar == '/' && new UnixSystem().getUid() == 0 && !LinuxUtils.isUnshareAvailable()) {
            String said = "PostgreSQL does not run as root, and this machine gives root no user namespace"
                    + " (unshare -U is refused); run as another user";
            System.out.println("SKIPPED: " + said);
            Assumptions.abort(said);
        }
    }

    private static EmbeddedPostgres run(Path data, int port, Map<String, String> settings) throws IOException {
        var builder = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                // After a crash the server syncs its whole directory first. That takes long beside other work.
                .setPGStartupWait(STARTUP)
                .setDataDirectory(data)
                .setCleanDataDirectory(false);
        settings.forEach(builder::setServerConfig);
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    public int port() {
        return running.getPort();
    }

    /** For JDBC. */
    public String url() {
        return url("127.0.0.1", port());
    }

    /** For JDBC, by another way: a proxy, or another network. */
    public static String url(String host, int port) {
        return "jdbc:postgresql://" + host + ":" + port + "/postgres?user=postgres";
    }

    /** The postmaster, and everything it has started. */
    public Stream<ProcessHandle> processes() throws IOException {
        ProcessHandle postmaster = postmaster();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants());
    }

    private ProcessHandle postmaster() throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    /** {@code kill -9}; it has ended when this returns. */
    public void crash() throws IOException {
        ProcessHandle postmaster = postmaster();
        postmaster.destroyForcibly();
        postmaster.onExit().join();
        running.close();
    }

    /** After {@link #crash}: on the same port, with the data that survived. */
    public void restart() throws IOException {
        running = run(data, port(), settings);
    }

    @Override
    public void close() throws IOException {
        running.close();
    }
}
