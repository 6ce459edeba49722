package dev.doyen.stores.kubernetes.rest;

import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The token that identifies this account to the API server.
 *
 * <p>The kubelet replaces the file of a token after 80 % of the token's lifetime, long before the token expires. So
 * this class reads the file again every minute, and after the server has refused a token.
 *
 * <p>Threads: any. Errors: {@link StoreUnavailableException} if the file cannot be read, or if the file contains a
 * character that no token contains. No message contains the token.
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

    /**
     * Returns a token. White space before and after the token is ignored.
     *
     * @throws StoreUnavailableException if the text contains a character that no token contains
     */
    public static BearerToken of(String token) {
        return new BearerToken(Optional.empty(), Optional.of(checked(token, "the token")), () -> 0);
    }

    /**
     * Returns a token whose file is read again every minute, and after a refusal.
     *
     * @param nanos a monotonic clock
     */
    public static BearerToken in(Path file, LongSupplier nanos) {
        return new BearerToken(Optional.of(file), Optional.empty(), nanos);
    }

    /** Returns the value of the Authorization header. The result is empty if a certificate identifies the account. */
    public synchronized Optional<String> header() {
        if (file.isPresent() && (!fresh || nanos.getAsLong() - readAt >= READ_AGAIN_NANOS)) {
            readAt = nanos.getAsLong();
            token = Optional.of(read(file.get()));
            fresh = true;
        }
        return token.map(each -> "Bearer " + each);
    }

    /** Records that the server has refused the token. The next request then reads the file again. */
    synchronized void refused() {
        fresh = false;
    }

    private static String read(Path file) {
        try {
            return checked(Files.readString(file), "the token in " + file);
        } catch (IOException e) {
            throw new StoreUnavailableException("the token in " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Rejects a token that is no valid header value. Otherwise the HTTP client's exception would contain the token. */
    private static String checked(String text, String what) {
        String token = text.strip();
        if (!token.chars().allMatch(each -> each > ' ' && each <= '~')) {
            throw new StoreUnavailableException(what + " contains white space, a control character or a character that"
                    + " is not ASCII; give one token, without line breaks");
        }
        return token;
    }
}
