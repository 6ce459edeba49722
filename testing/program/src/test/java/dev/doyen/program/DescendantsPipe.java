package dev.doyen.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A named pipe that shows when a command and all its descendants have ended.
 *
 * <p>The command opens the pipe as descriptor 9, and its descendants inherit the descriptor. The reader reaches the end
 * of the pipe when the last of these processes has ended. The pipes of a {@link Process} do not show this, because the
 * JDK closes them when the started process ends.
 */
final class DescendantsPipe {

    private static final long PATIENCE_SECONDS = 90;

    private final Path fifo;
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    DescendantsPipe(Path folder) throws IOException, InterruptedException {
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

    /** Returns the shell code that opens the pipe. This code must be the first code of the script. */
    String taken() {
        return "exec 9> '" + fifo + "'; ";
    }

    /** Waits until every process that had the pipe open has ended. */
    void awaitReleased() throws InterruptedException, ExecutionException, TimeoutException {
        released.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
