package dev.doyen.hub.server.revocations;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.doyen.hub.auth.Revocation;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A file with all revocations of a hub, one JSON object per line.
 *
 * <p>Each change replaces the file atomically. The size is limited, because the hub limits the number of its
 * revocations and removes them when the tokens have expired.
 *
 * <p>Threads: any. One thread of this class writes the file.
 */
public final class RevocationFile implements AutoCloseable {

    private static final String NAME = "revocations";
    private static final String DRAFT = ".tmp";
    private static final long MAX_BYTES = 64 * 1024 * 1024;
    private static final long CLOSE_MILLIS = 1_500;

    private final ObjectMapper json = JsonMapper.builder().build();
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("doyen-revocations", true));
    private final Path directory;
    private final List<Revocation> stored;
    /** The newest revocations whose write has not begun or has failed; null if there are none. */
    private final AtomicReference<@Nullable List<Revocation>> unstored = new AtomicReference<>();

    /**
     * Opens the file in this directory. The directory must exist.
     *
     * @throws IOException if the directory or the file cannot be read, or if the file contains a line that is no
     *     revocation
     */
    public RevocationFile(Path directory) throws IOException {
        this.directory = directory;
        try (var drafts = Files.newDirectoryStream(directory, NAME + "*" + DRAFT)) {
            for (Path draft : drafts) {
                Files.deleteIfExists(draft);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        this.stored = read(directory.resolve(NAME));
    }

    /** Returns the revocations that the file contained when it was opened. */
    public List<Revocation> stored() {
        return stored;
    }

    /**
     * Stores these revocations instead of all earlier ones.
     *
     * @return a future that completes when these revocations or later ones are on the disk; it fails if they cannot be
     *     written, or if {@link #close} drops them
     */
    public CompletableFuture<Void> store(List<Revocation> all) {
        unstored.set(all);
        var store = new Store();
        try {
            writer.execute(store);
        } catch (RejectedExecutionException closed) {
            store.done.completeExceptionally(closed);
        }
        return store.done;
    }

    /** One call of {@link #store}. */
    private final class Store implements Runnable {

        private final CompletableFuture<Void> done = new CompletableFuture<>();

        @Override
        public void run() {
            try {
                storeNewest();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        }
    }

    private void storeNewest() {
        List<Revocation> newest = unstored.getAndSet(null);
        // If the field is null, an earlier call has already written these revocations or later ones.
        if (newest != null) {
            try {
                write(newest);
            } catch (IOException e) {
                unstored.compareAndSet(null, newest);
                throw new UncheckedIOException("the revocations cannot be written to " + directory, e);
            } catch (RuntimeException | Error e) {
                unstored.compareAndSet(null, newest);
                throw e;
            }
        }
    }

    private void write(List<Revocation> revocations) throws IOException {
        var text = new StringBuilder();
        for (Revocation revocation : revocations) {
            text.append(json.createObjectNode()
                            .put("key", revocation.keyName())
                            .put("target", revocation.target())
                            .put("issuedBefore", revocation.issuedBeforeMillis()))
                    .append("\n");
        }
        // Only the owner can read a file that createTempFile creates.
        Path draft = Files.createTempFile(directory, NAME, DRAFT);
        try {
            try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(draft, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private List<Revocation> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " has more than " + MAX_BYTES + " bytes, so the hub has not written it; move"
                    + " it away only if revoked tokens may be used again");
        }
        var read = new ArrayList<Revocation>();
        for (String line : Files.readAllLines(file)) {
            read.add(revocation(file, line));
        }
        return List.copyOf(read);
    }

    private Revocation revocation(Path file, String line) throws IOException {
        try {
            JsonNode fields = json.readTree(line);
            if (fields.path("key").isTextual()
                    && fields.path("target").isTextual()
                    && fields.path("issuedBefore").isIntegralNumber()) {
                return new Revocation(
                        fields.path("key").asText(),
                        fields.path("target").asText(),
                        fields.path("issuedBefore").asLong());
            }
        } catch (JsonProcessingException e) {
            // The line is not JSON. The exception below reports it.
        }
        throw new IOException(file + " contains a line that is no revocation; move the file away only if revoked tokens"
                + " may be used again");
    }

    /**
     * Waits for the last write, but at most {@value #CLOSE_MILLIS} ms. Then the method drops the writes that have not
     * begun.
     */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                var dropped = new RejectedExecutionException("the file of the revocations was closed");
                for (Runnable store : writer.shutdownNow()) {
                    ((Store) store).done.completeExceptionally(dropped);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
