package dev.doyen.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A test's own server, which the test can kill, freeze and restart.
 *
 * <p>The server listens on a port of this computer. The server ends when the test's JVM ends, even if that JVM is
 * killed.
 *
 * <p>Threads: one. Errors: {@link IllegalStateException} with the end of the server's log if the server does not
 * start.
 */
public final class ServerProcess implements RunningServer {

    private static final int TRIES = 5;
    private static final long UP_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final List<String> command;
    private final Path log;
    private final int port;
    private Process process;
    private Process watchdog;

    private ServerProcess(List<String> command, Path log, int port, Process process) throws IOException {
        this.command = command;
        this.log = log;
        this.port = port;
        this.process = process;
        this.watchdog = watchdog(process);
    }

    /**
     * Starts the command on a free port. If the server does not start, for example because another process has taken
     * this port meanwhile, the method tries a few more ports.
     */
    public static ServerProcess start(Path log, IntFunction<List<String>> commandForPort) throws Exception {
        for (int i = 1; ; i++) {
            int port = freePort();
            List<String> command = commandForPort.apply(port);
            var server = new ServerProcess(command, log, port, run(command, log));
            if (server.comesUp()) {
                return server;
            }
            server.close();
            if (i == TRIES) {
                throw server.isNotUp();
            }
        }
    }

    /** Starts the command, which listens on this port. */
    public static ServerProcess startOn(int port, Path log, List<String> command) throws Exception {
        var server = new ServerProcess(command, log, port, run(command, log));
        if (!server.comesUp()) {
            server.close();
            throw server.isNotUp();
        }
        return server;
    }

    /**
     * Skips the test and prints a line to standard output if {@code program} is not installed.
     *
     * @param purpose the subject of the test, such as {@code store redis}; the line contains this text
     */
    public static void assumeInstalled(String purpose, String program, String debianPackage) {
        boolean there = Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        if (!there) {
            String message = purpose + ": " + program + " is not installed; apt-get install " + debianPackage;
            System.out.println("SKIPPED: " + message);
            Assumptions.abort(message);
        }
    }

    @Override
    public int port() {
        return port;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends {@code SIGKILL}, so the server flushes nothing. Returns when the server has ended. */
    @Override
    public void kill() {
        watchdog.destroyForcibly().onExit().join();
        process.destroyForcibly().onExit().join();
    }

    /** Sends {@code SIGTERM}, so the server can shut down in order. Returns when the server has ended. */
    public void terminate() {
        process.destroy();
        process.onExit().join();
        kill();
    }

    /** Starts the server again with the same port and data, and waits until it listens. */
    @Override
    public void restart() throws Exception {
        process = run(command, log);
        watchdog = watchdog(process);
        if (!comesUp()) {
            throw isNotUp();
        }
    }

    /** Stops the server with SIGSTOP. Connections stay open. */
    @Override
    public void freeze() throws Exception {
        ProcessSignals.stop(process.pid());
    }

    /** Continues the server with SIGCONT. */
    @Override
    public void thaw() throws Exception {
        ProcessSignals.resume(process.pid());
    }

    @Override
    public void close() {
        kill();
    }

    private boolean comesUp() throws Exception {
        long start = System.nanoTime();
        do {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return process.isAlive();
            } catch (IOException e) {
                // The server does not listen yet. The loop tries again after a short wait. The wait ends early if the
                // process has ended.
            }
        } while (!process.waitFor(20, TimeUnit.MILLISECONDS) && System.nanoTime() - start < UP_WITHIN_NANOS);
        return false;
    }

    private IllegalStateException isNotUp() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return new IllegalStateException(command.get(0) + " did not come up on port " + port + ":\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size())));
    }

    private static Process run(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /**
     * Starts a script that kills the server when this JVM ends, even by {@code kill -9}.
     *
     * <p>The script waits for the end of its standard input, which the operating system closes when the JVM ends.
     */
    private static Process watchdog(Process server) throws IOException {
        return new ProcessBuilder("sh", "-c", "read -r _; kill -9 " + server.pid())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Returns a port that is free now, for servers that cannot choose a port themselves. */
    public static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
