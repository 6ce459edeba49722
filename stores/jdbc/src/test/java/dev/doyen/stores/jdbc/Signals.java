package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Signals to processes, by their ids. */
final class Signals {

    private Signals() {}

    static void send(String signal, long pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .inheritIO()
                    .start();
            assertThat(kill.waitFor()).as("kill -%s %s", signal, pid).isZero();
            if (signal.equals("STOP")) {
                awaitStopped(Path.of("/proc", Long.toString(pid), "task"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A thread that has no processor just now stops only when it would get one again, and answers until then. */
    private static void awaitStopped(Path threads) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!allStopped(threads)) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds too late for %s to stop", threads)
                    .isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean allStopped(Path threads) throws IOException {
        try (Stream<Path> each = Files.list(threads)) {
            for (Path thread : (Iterable<Path>) each::iterator) {
                String line = Files.readString(thread.resolve("stat"));
                // The state is the letter behind the name, which is in brackets.
                if (line.charAt(line.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }
}
