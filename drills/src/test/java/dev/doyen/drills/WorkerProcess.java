package dev.doyen.drills;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A {@link Worker} in a JVM of its own. */
final class WorkerProcess implements AutoCloseable {

    private final String id;
    private final Process process;

    private WorkerProcess(String id, Process process) {
        this.id = id;
        this.process = process;
    }

    /** @param prefix a command to run the JVM under, such as one that enters a network namespace */
    static WorkerProcess start(
            List<String> prefix, String storeUrl, String id, long ttlMillis, String ledgerHost, int ledgerPort)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                storeUrl,
                id,
                Long.toString(ttlMillis),
                ledgerHost,
                Integer.toString(ledgerPort)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        if (!"joined".equals(out.readLine())) {
            process.destroyForcibly();
            throw new IOException("worker " + id + " did not join");
        }
        return new WorkerProcess(id, process);
    }

    String id() {
        return id;
    }

    /** SIGSTOP. */
    void stop() throws IOException, InterruptedException {
        Commands.run("kill", "-STOP", pid());
    }

    /** SIGCONT. */
    void goOn() throws IOException, InterruptedException {
        Commands.run("kill", "-CONT", pid());
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
        process.waitFor();
    }

    private String pid() {
        return Long.toString(process.pid());
    }
}
