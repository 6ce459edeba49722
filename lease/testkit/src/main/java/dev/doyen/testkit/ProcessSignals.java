package dev.doyen.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Stops and continues processes of this computer by their ids.
 *
 * <p>Threads: any. Errors: {@link IllegalStateException} if the signal cannot be sent, or if the process has not
 * stopped within a minute.
 */
public final class ProcessSignals {

    private static final long STOPPED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private ProcessSignals() {}

    /**
     * Stops the process with SIGSTOP.
     *
     * <p>On Linux this method returns when all threads of the process have stopped. On a busy computer, a thread that
     * waits for a processor stops only when it gets a processor. Before that, the process could still answer a request.
     */
    public static void stop(long pid) throws IOException, InterruptedException {
        send("STOP", pid);
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        long start = System.nanoTime();
        while (Files.exists(threads) && !areStopped(threads)) {
            if (System.nanoTime() - start > STOPPED_WITHIN_NANOS) {
                throw new IllegalStateException("process " + pid + " runs on after SIGSTOP");
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    /** Continues the process with SIGCONT. Does nothing if the process ended before SIGSTOP reached it. */
    public static void resume(long pid) throws IOException, InterruptedException {
        if (ProcessHandle.of(pid).isPresent()) {
            send("CONT", pid);
        }
    }

    private static void send(String signal, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IllegalStateException("SIG" + signal + " could not be sent to process " + pid);
        }
    }

    private static boolean areStopped(Path threads) throws IOException {
        try (Stream<Path> each = Files.list(threads)) {
            for (Path thread : (Iterable<Path>) each::iterator) {
                String line = Files.readString(thread.resolve("stat"));
                // The state is the letter after the name, which is in parentheses.
                if (line.charAt(line.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException e) {
            // A thread has just ended.
            return false;
        }
    }
}
