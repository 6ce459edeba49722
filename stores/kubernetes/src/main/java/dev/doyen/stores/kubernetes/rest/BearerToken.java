package dev.doyen.stores.kubernetes.rest;

import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Who one is to the API server. A token in a file is replaced by the kubelet long before it expires (after 80 % of its
 * life), so the file is read again every minute, and when a token was refused.
 *
 * <p>Threads: any. Errors: {@link StoreUnavailableException} if the file cannot be read.
 */
public final class BearerToken {

    private static final long READ_AGAIN_NANOS = 60_000_000_000L;

    private final Optional<Path> file;
    private final LongSupplier nanos;
    private Optional<String> token;
    private long readAt;
    private boolean fresh;

    private BearerToken(Optional<Path> file, Optional<String> token, LongSupplier nanos) {
        this.file = file;
        this.token = token;
        this.nanos = nanos;
    }

    public static BearerToken none() {
        return new BearerToken(Optional.empty(), Optional.empty(), () -> 0);
    }

    public static BearerToken of(String token) {
        return new BearerToken(Optional.empty(), Optional.of(token), () -> 0);
    }

    /**
     * One that stands in a file, and is read again.
     *
     * @param nanos a clock that only rises
     */
    public static BearerToken in(Path file, LongSupplier nanos) {
        return new BearerToken(Optional.of(file), Optional.empty(), nanos);
    }

    /** What goes into the Authorization header; empty if a certificate says who one is. */
    public synchronized Optional<String> header() {
        if (file.isPresent() && (!fresh || nanos.getAsLong() - readAt >= READ_AGAIN_NANOS)) {
            readAt = nanos.getAsLong();
            token = Optional.of(read(file.get()));
            fresh = true;
        }
        return token.map(each -> "Bearer " + each);
    }

    /** The server did not accept it. */
    synchronized void refused() {
        fresh = false;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new StoreUnavailableException("the token in " + file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
