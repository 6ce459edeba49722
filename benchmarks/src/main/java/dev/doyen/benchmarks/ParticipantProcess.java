package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link Participant} in a separate JVM. */
final class ParticipantProcess implements AutoCloseable {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    private final Process process;
    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();

    private ParticipantProcess(Process process) {
        this.process = process;
        var reader = new Thread(this::readAll, "participant-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static ParticipantProcess start(
            Entrant entrant, String url, Duration ttl, String prefix, int elections, String id, String heap)
            throws IOException {
        return new ParticipantProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file", ""),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Participant.class.getName(),
                        entrant.name(),
                        url,
                        Long.toString(ttl.toMillis()),
                        prefix,
                        Integer.toString(elections),
                        id)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    long pid() {
        return process.pid();
    }

    /** Waits for a line that begins with this word, and returns its first number. */
    double await(String word, Duration longest) throws InterruptedException {
        long began = System.nanoTime();
        while (true) {
            long left = longest.toNanos() - (System.nanoTime() - began);
            String line = said.poll(left, TimeUnit.NANOSECONDS);
            if (line == null || line.isEmpty()) {
                throw new IllegalStateException("a participant " + (line == null ? "did not say " : "died before ")
                        + word + " within " + longest.toSeconds() + " s");
            }
            if (line.startsWith(word + " ")) {
                return Double.parseDouble(line.split(" ", -1)[1]);
            }
        }
    }

    /** Asks the participant for its current measurements. */
    Measured measure() throws IOException, InterruptedException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        long began = System.nanoTime();
        String line = "";
        while (!line.startsWith("MEASURED ")) {
            long left = ANSWER_WITHIN.toNanos() - (System.nanoTime() - began);
            line = said.poll(left, TimeUnit.NANOSECONDS);
            if (line == null || line.isEmpty()) {
                throw new IllegalStateException("a participant did not answer");
            }
        }
        String[] words = line.split(" ", -1);
        return new Measured(
                Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4]));
    }

    /** Sends SIGKILL, and returns the {@link System#nanoTime} just before. */
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

    private void readAll() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException | UncheckedIOException e) {
            // The process was killed while it wrote a line.
        }
        said.add("");
    }

    /**
     * The measurements of a participant.
     *
     * @param heap the bytes in use after a garbage collection
     * @param rss the resident bytes
     * @param threads the threads of the JVM
     * @param leading the number of elections that it leads
     */
    record Measured(long heap, long rss, long threads, long leading) {}
}
