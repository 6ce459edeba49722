package dev.doyen.benchmarks.hub;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A separate process with idle members. Separate processes are necessary, because the operating system limits the
 * sockets of one process.
 */
final class CrowdProcess implements AutoCloseable {

    private static final String READY = "ready";
    private static final String ENDED = "ended";

    private final Process process;
    private final BufferedReader output;

    private CrowdProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts {@code count} members with the numbers {@code first}, {@code first + step} and so on.
     *
     * <p>Each channel contains the members with a hundred consecutive numbers.
     */
    static CrowdProcess start(int port, long remainPresentMillis, int first, int step, int count) throws IOException {
        return new CrowdProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-XX:+UseSerialGC",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrowdProcess.class.getName(),
                        Integer.toString(port),
                        Long.toString(remainPresentMillis),
                        Integer.toString(first),
                        Integer.toString(step),
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until all members are present. */
    void awaitReady() throws IOException {
        String line = output.readLine();
        if (!READY.equals(line)) {
            throw new IllegalStateException("a crowd printed \"" + line + "\" instead of " + READY);
        }
    }

    /** Returns the number of members whose connections the server has closed. */
    int ended() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append('\n').flush();
        String line = output.readLine();
        if (line == null || !line.startsWith(ENDED)) {
            throw new IllegalStateException("a crowd printed \"" + line + "\" instead of a count");
        }
        return Integer.parseInt(line.substring(ENDED.length()).trim());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /**
     * Runs the process.
     *
     * @param args the port, {@code remainPresentFor} in milliseconds, the first number, the step and the count
     */
    public static void main(String[] args) throws Exception {
        List<Integer> numbers = List.of(args).stream().map(Integer::valueOf).toList();
        int first = numbers.get(2);
        int step = numbers.get(3);
        try (var crowd = new Crowd(numbers.get(0), new AblyDialect(DoyenPeer.KEY, numbers.get(1), false))) {
            for (int i = 0; i < numbers.get(4); i++) {
                int number = first + i * step;
                crowd.enter(Dialect.Part.MEMBER, "c" + number, IdlePart.room(number));
            }
            crowd.awaitReady();
            System.out.println(READY);
            // The parent process sends a byte to request the count. The input ends when the parent process ends.
            while (System.in.read() >= 0) {
                System.out.println(ENDED + " " + crowd.ended());
            }
        }
    }
}
