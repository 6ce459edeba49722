package dev.doyen.stores.objects;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in its own process. The process ends at {@link #close}, or at the latest with the JVM of the tests. */
public final class ServerProcess implements AutoCloseable {

    private static final int KEPT_LINES = 40;
    private static final int START_WITHIN_SECONDS = 90;

    private final Process process;
    private final Thread atExit;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private ServerProcess(Process process) {
        this.process = process;
        this.atExit = new Thread(process::destroyForcibly);
    }

    /**
     * Starts the server process. {@link #port} waits until the server prints its port.
     *
     * @param listening the pattern of the line with the port; its first group is the port
     */
    public static ServerProcess start(List<String> command, Path directory, Pattern listening) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            var server = new ServerProcess(process);
            Runtime.getRuntime().addShutdownHook(server.atExit);
            var reader = new Thread(() -> server.listen(listening), "output of " + command.get(0));
            reader.setDaemon(true);
            reader.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot be started: " + command, e);
        }
    }

    public int port() {
        try {
            return port.get(START_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            close();
            synchronized (lastLines) {
                throw new IllegalStateException(
                        "the server did not start; its last lines: " + String.join("\n", lastLines), e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void listen(Pattern listening) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (lastLines) {
                    lastLines.add(line);
                    if (lastLines.size() > KEPT_LINES) {
                        lastLines.remove();
                    }
                }
                Matcher found = listening.matcher(line);
                if (found.find()) {
                    port.complete(Integer.parseInt(found.group(1)));
                }
            }
            port.completeExceptionally(new IllegalStateException("the process ended"));
        } catch (IOException e) {
            port.completeExceptionally(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            // The JVM is already shutting down, so its shutdown hook ends the process.
        }
    }
}
