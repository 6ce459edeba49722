package dev.doyen.chaos;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * {@code doyen elector} in a separate process, with an app that does nothing.
 *
 * <p>The class records the sidecar's event stream.
 */
final class SidecarProcess implements AutoCloseable {

    private static final int UP_WITHIN_SECONDS = 60;
    private static final Pattern PORT = Pattern.compile("API is on port ([0-9]+),");
    private static final Pattern LEADER =
            Pattern.compile("\"leader\":(?:null|\\{\"id\":\"([^\"]*)\",\"term\":([0-9]+)})");

    private final String id;
    private final Path pidFile;
    private final Process process;

    /** A permit for each log line in which the sidecar reports that its app runs. */
    private final Semaphore seen = new Semaphore(0);

    private Process app;

    private SidecarProcess(String id, Path pidFile, Process process, Process app) {
        this.id = id;
        this.pidFile = pidFile;
        this.process = process;
        this.app = app;
    }

    /**
     * Starts an app and its sidecar, and returns when the sidecar has detected the app.
     *
     * <p>From then on, {@code output} receives all events.
     */
    static SidecarProcess start(
            String id, String storeUrl, long ttlMillis, Path dir, SidecarOutput output, String... more)
            throws IOException, InterruptedException {
        var app = startApp();
        var pidFile = Files.writeString(dir.resolve(id + ".pid"), Long.toString(app.pid()));
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of(
                "dev.doyen.cli.Doyen",
                "elector",
                "--election=" + StoreChaos.ELECTION,
                "--id=" + id,
                "--store=" + storeUrl,
                "--ttl=" + ttlMillis + "ms",
                "--http=127.0.0.1:0",
                "--probe-address=127.0.0.1:0",
                "--app-pid-file=" + pidFile));
        command.addAll(List.of(more));
        var builder = new ProcessBuilder(command);
        image().ifPresent(home -> builder.directory(home.toFile()));
        var process = builder.start();
        var sidecar = new SidecarProcess(id, pidFile, process, app);
        var log = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        sidecar.listen(awaitPort(id, log), output);
        daemon("log-" + id, () -> sidecar.readLog(log));
        sidecar.awaitApp();
        return sidecar;
    }

    String id() {
        return id;
    }

    /** Sends SIGKILL to the app. */
    void killApp() {
        app.destroyForcibly();
    }

    /** Restarts the app, as a kubelet does. Returns when the sidecar has detected the new app and campaigns again. */
    void restartApp() throws IOException, InterruptedException {
        app.waitFor();
        app = startApp();
        Files.writeString(pidFile, Long.toString(app.pid()));
        awaitApp();
    }

    /** Sends SIGKILL to the sidecar and the app, as if their machine had failed. */
    void vanish() {
        process.destroyForcibly();
        app.destroyForcibly();
    }

    @Override
    public void close() throws InterruptedException {
        vanish();
        process.waitFor();
        app.waitFor();
    }

    /**
     * Returns the Java command of the sidecar.
     *
     * <p>If the test has an image, the command is the command of the image. Otherwise, the command consists of the Java
     * of this test and the JVM flags of a sidecar.
     */
    static List<String> java() {
        return image().map(home -> List.of(home.resolve("runtime/bin/java").toString(), "@jvm.args"))
                .orElseGet(() -> List.of(
                        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx32m",
                        "-Xss512k",
                        "-cp",
                        System.getProperty("java.class.path")));
    }

    /** Returns the working directory of the image; empty if the test has no image. */
    static Optional<Path> image() {
        return Optional.ofNullable(System.getProperty("chaos.image"))
                .filter(root -> !root.isEmpty())
                .map(root -> Path.of(root).toAbsolutePath().resolve("doyen"));
    }

    private static Process startApp() throws IOException {
        return new ProcessBuilder("sleep", "3600").start();
    }

    private static int awaitPort(String id, BufferedReader log) throws IOException {
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            var port = PORT.matcher(line);
            if (port.find()) {
                return Integer.parseInt(port.group(1));
            }
        }
        throw new IOException("sidecar " + id + " did not start");
    }

    private void awaitApp() throws IOException, InterruptedException {
        if (!seen.tryAcquire(UP_WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("sidecar " + id + " has not detected its app within " + UP_WITHIN_SECONDS + " s");
        }
    }

    /** Reads the log to its end. If nobody read the log, the sidecar would block on a full pipe. */
    private void readLog(BufferedReader log) {
        try (log) {
            for (String line = log.readLine(); line != null; line = log.readLine()) {
                if (line.contains(" the app runs")) {
                    seen.release();
                }
            }
        } catch (IOException e) {
            // The process was killed.
        }
    }

    private void listen(int port, SidecarOutput output) throws IOException {
        var in = events(port);
        daemon("events-" + id, () -> {
            try (in) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    var leader = LEADER.matcher(line);
                    if (line.startsWith("data:") && leader.find()) {
                        boolean nobody = leader.group(1) == null;
                        output.note(id, nobody ? "" : leader.group(1), nobody ? 0 : Long.parseLong(leader.group(2)));
                    }
                }
            } catch (IOException e) {
                // The process was killed.
            }
            output.note(id, "", 0);
        });
    }

    /**
     * Opens the event stream. The method repeats the request until the sidecar has received an answer of the store.
     * Before that answer the sidecar does not serve the election.
     */
    private BufferedReader events(int port) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(UP_WITHIN_SECONDS);
        while (System.nanoTime() - end < 0) {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream()
                    .write(("GET /v1/elections/" + StoreChaos.ELECTION + "/events HTTP/1.0\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            if (String.valueOf(in.readLine()).contains(" 200 ")) {
                return in;
            }
            socket.close();
        }
        throw new IOException(
                "sidecar " + id + " has received no answer of the store within " + UP_WITHIN_SECONDS + " s");
    }

    private static void daemon(String name, Runnable task) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
