package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Memory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process of a server. The class measures the memory and the CPU time of the process. The process ends at the
 * latest when this JVM shuts down.
 */
final class ServerProcess implements AutoCloseable {

    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(1);
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    /**
     * The number of clock ticks per second in /proc/PID/stat.
     *
     * <p>This number is 100 on every common Linux.
     */
    private static final double TICKS_PER_SECOND = 100;

    private static final int UTIME = 13;
    private static final int STIME = 14;

    private final Process process;
    private final int port;
    private final Thread hook;

    private ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
        this.hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static ServerProcess start(List<String> command, Path folder, int port) throws IOException, InterruptedException {
        var started = new ServerProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("server.log").toFile())
                        .start(),
                port);
        long until = System.nanoTime() + LONGEST_START.toNanos();
        while (!started.answers()) {
            if (!started.process.isAlive() || System.nanoTime() - until > 0) {
                started.close();
                throw new IOException(command + " does not listen: " + Files.readString(folder.resolve("server.log")));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return started;
    }

    int port() {
        return port;
    }

    /** Returns the resident memory of the process in bytes. */
    long residentBytes() throws IOException {
        return Memory.resident(process.toHandle());
    }

    /** Returns the seconds of CPU time that the process has used so far. */
    double processorSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        // The name of the program can contain spaces. The last parenthesis is the end of the name.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[UTIME - 2]) + Long.parseLong(fields[STIME - 2])) / TICKS_PER_SECOND;
    }

    /**
     * Waits until the process has used less than a tenth of a core for two seconds, but at most a minute. After a
     * warm-up, the compiler of a JVM is then quiet.
     */
    void awaitQuiet() throws IOException, InterruptedException {
        long until = System.nanoTime() + LONGEST_WARM_UP.toNanos();
        double before = processorSeconds();
        int quietSeconds = 0;
        while (quietSeconds < 2 && System.nanoTime() - until < 0) {
            TimeUnit.SECONDS.sleep(1);
            double now = processorSeconds();
            quietSeconds = now - before < 0.1 ? quietSeconds + 1 : 0;
            before = now;
        }
    }

    private boolean answers() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        // This wait is short, because after SIGKILL only the kernel has work to do.
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
