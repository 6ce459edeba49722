package dev.doyen.drills;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link RingMember} in a JVM of its own. */
final class RingProcess implements AutoCloseable {

    private final String id;
    private final Process process;

    private RingProcess(String id, Process process) {
        this.id = id;
        this.process = process;
    }

    /**
     * Does not wait for it to join.
     *
     * @param prefix a command to run the JVM under, such as one that enters a network namespace
     */
    static RingProcess start(
            List<String> prefix, String id, String own, List<String> peers, String secret, RingSayings sayings)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                RingMember.class.getName(),
                id,
                own,
                String.join(",", peers),
                secret));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var member = new RingProcess(id, process);
        var reading = new Thread(() -> member.read(sayings), "read-" + id);
        reading.setDaemon(true);
        reading.start();
        return member;
    }

    String id() {
        return id;
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** SIGSTOP. */
    void stop() throws IOException, InterruptedException {
        Commands.run("kill", "-STOP", Long.toString(process.pid()));
    }

    /** SIGCONT. */
    void goOn() throws IOException, InterruptedException {
        Commands.run("kill", "-CONT", Long.toString(process.pid()));
    }

    /** Lets it close its election and leave. */
    void leave() throws IOException {
        process.getOutputStream().write("close\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(RingDrill.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError(id + " has not ended");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
        process.waitFor();
    }

    private void read(RingSayings sayings) {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                sayings.note(id, line);
            }
        } catch (IOException e) {
            // Whoever kills it closes the pipe, too. Of one that was not killed, nothing more is heard: waiting for
            // that fails.
        }
    }
}
