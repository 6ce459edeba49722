package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link Participant} in a separate JVM. Threads: one. */
final class ParticipantProcess implements AutoCloseable {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    private final Process process;
    private final LinkedBlockingQueue<String> printed = new LinkedBlockingQueue<>();

    /** The time of the last election, by {@link System#nanoTime}; valid only if {@code hasLed} is true. */
    private volatile long ledAt;

    private volatile boolean hasLed;

    private ParticipantProcess(Process process) {
        this.process = process;
        var reader = new Thread(this::readAll, "participant-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts the process.
     *
     * @param jvm the flags of the JVM
     */
    static ParticipantProcess start(
            Entrant entrant, String url, Duration ttl, String prefix, int elections, String id, List<String> jvm)
            throws IOException {
        List<String> arguments =
                List.of(entrant.name(), url, Long.toString(ttl.toMillis()), prefix, Integer.toString(elections), id);
        return new ParticipantProcess(JavaProgram.of(Participant.class, jvm, arguments)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for a line that begins with this key. Returns the first number in the line. */
    double await(String key, Duration longest) throws InterruptedException {
        return Double.parseDouble(line(key, longest)[1]);
    }

    /**
     * Returns the time at which the participant was last elected.
     *
     * <p>The time is a value of {@link System#nanoTime}. The result is empty if the participant was never elected.
     */
    OptionalLong ledAt() {
        return hasLed ? OptionalLong.of(ledAt) : OptionalLong.empty();
    }

    /** Requests the current measurements of the participant, and returns them. */
    Measured measure() throws IOException, InterruptedException {
        command("MEASURE");
        String[] parts = line("MEASURED", ANSWER_WITHIN);
        return new Measured(
                Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]), Long.parseLong(parts[4]));
    }

    /**
     * Makes the participant leave its elections, and waits until it has left. Returns the time at which the participant
     * began to leave, by {@link System#nanoTime}.
     */
    long leave() throws IOException, InterruptedException {
        command("LEAVE");
        return Long.parseLong(line("LEFT", ANSWER_WITHIN)[1]);
    }

    /** Makes the participant a candidate again after {@link #leave}. */
    void rejoin() throws IOException, InterruptedException {
        command("JOIN");
        double unused = await("JOINED", ANSWER_WITHIN);
    }

    /** Sends SIGSTOP. The process freezes, and its connections stay open. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Sends SIGCONT. The frozen process continues. */
    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Sends SIGKILL. Returns the {@link System#nanoTime} immediately before the signal. */
    long kill() {
        long now = System.nanoTime();
        process.destroyForcibly();
        return now;
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }

    private void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + name + " " + process.pid() + " failed with status " + status);
        }
    }

    private void command(String command) throws IOException {
        process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
    }

    /** Waits for a line that begins with this key. Returns the parts of the line. */
    private String[] line(String key, Duration longest) throws InterruptedException {
        long began = System.nanoTime();
        while (true) {
            long left = longest.toNanos() - (System.nanoTime() - began);
            String line = printed.poll(left, TimeUnit.NANOSECONDS);
            if (line == null || line.isEmpty()) {
                throw new IllegalStateException("a participant "
                        + (line == null ? "did not print " : "ended before it printed ") + key
                        + " within " + longest.toSeconds() + " s");
            }
            if (line.startsWith(key + " ")) {
                return line.split(" ", -1);
            }
        }
    }

    private void readAll() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("LEADS ")) {
                    ledAt = Long.parseLong(line.split(" ", -1)[2]);
                    hasLed = true;
                }
                printed.add(line);
            }
        } catch (IOException | UncheckedIOException e) {
            // The process was killed while it wrote a line.
        }
        printed.add("");
    }

    /**
     * The measurements of a participant.
     *
     * @param heap the bytes of the heap that are in use after a garbage collection
     * @param rss the resident memory in bytes
     * @param threads the number of threads in the JVM
     * @param leading the number of elections that the participant leads
     */
    record Measured(long heap, long rss, long threads, long leading) {}
}
