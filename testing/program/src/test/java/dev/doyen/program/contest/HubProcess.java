package dev.doyen.program.contest;

import dev.doyen.cli.Doyen;
import dev.doyen.jvms.JvmProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A {@code doyen hub} process with short timeouts, which a test kills, freezes and restarts over the same store. */
final class HubProcess implements AutoCloseable {

    static final String KEY = "app.id:the-secret";
    static final int CLAIM_TTL_MILLIS = 2_000;
    private static final int LAST_LINES = 40;

    /** The time in which the hub must accept clients, including the time of repeated starts. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The settings of the hub. All channels are fenced. */
    private static final String SETTINGS = """
            channels:
              - channel: "*"
                fenced: true
            limits:
              remain-present-for: 1s
            """;

    private static final Pattern ADDRESS = Pattern.compile("hub +http://localhost:([0-9]+)/");

    private final Path folder;
    private final List<String> flags;
    private Process process;
    private volatile int port;

    /** Starts the process. The constructor does not wait until the hub accepts clients. */
    HubProcess(Path folder, String moreSettings, List<String> moreFlags) throws IOException {
        this.folder = folder;
        flags = List.copyOf(moreFlags);
        Files.writeString(folder.resolve("hub.yaml"), SETTINGS + moreSettings);
        process = begin();
    }

    /** Returns the present or last address of the hub. Threads: any. */
    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Waits until the hub accepts clients. Starts the process again if it exits, for example because Redis is slow. */
    void awaitServing() throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (true) {
            try {
                port = awaitPort(process);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - began > PATIENCE.toNanos()) {
                    throw e;
                }
                process = begin();
            }
        }
    }

    /** Sends SIGSTOP. The sockets stay open, but the process does nothing. */
    void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Sends SIGKILL, so the process releases no lease. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
    }

    /** Starts the process again over the same store, on any free port. */
    void startAgain() throws IOException {
        process = begin();
    }

    /** Returns the last lines of the log, without the lines about single elections. */
    String lastLogLines() throws IOException {
        // Lines about single elections would hide the other lines, because a hundred elections log them.
        List<String> lines = Files.readAllLines(folder.resolve("stderr")).stream()
                .filter(line -> !line.contains(" election="))
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    private Process begin() throws IOException {
        var command = JvmProcess.java(
                "-cp",
                System.getProperty("java.class.path"),
                Doyen.class.getName(),
                "hub",
                "--data",
                folder.toString(),
                "--claim-ttl",
                CLAIM_TTL_MILLIS + "ms",
                "--settings",
                folder.resolve("hub.yaml").toString());
        for (String flag : List.of("--port", "--elector-port", "--probe-port")) {
            command.add(flag);
            command.add("0");
        }
        command.addAll(flags);
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("stderr").toFile()));
        builder.environment().put("DOYEN_KEY", KEY);
        return builder.start();
    }

    private int awaitPort(Process started) throws IOException, InterruptedException {
        BufferedReader out = started.inputReader(StandardCharsets.UTF_8);
        int found = 0;
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            var matcher = ADDRESS.matcher(line);
            if (matcher.find()) {
                found = Integer.parseInt(matcher.group(1));
            }
            if (line.contains("Ctrl-C")) {
                return found;
            }
        }
        throw new IOException(
                "the hub ended with " + started.waitFor() + " before it served; its output:\n" + lastLogLines());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
