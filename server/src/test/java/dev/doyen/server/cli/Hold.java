package dev.doyen.server.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A named pipe that a command opens as its descriptor 9, and that all it starts inherit: it ends when the last of them
 * has ended. (The pipe of the JDK's own does not tell: it is closed when the process that was started ends.)
 */
final class Hold {

    private static final long PATIENCE_SECONDS = 90;

    private final Path fifo;
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    Hold(Path folder) throws IOException, InterruptedException {
        fifo = folder.resolve("hold");
        new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
        var reader = new Thread(() -> {
            try (var in = Files.newInputStream(fifo)) {
                in.readAllBytes();
                released.complete(null);
            } catch (IOException e) {
                released.completeExceptionally(e);
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    /** What a shell is to do first. */
    String taken() {
        return "exec 9> '" + fifo + "'; ";
    }

    /** Waits until nobody lives who held it. */
    void awaitReleased() throws InterruptedException, ExecutionException, TimeoutException {
        released.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
