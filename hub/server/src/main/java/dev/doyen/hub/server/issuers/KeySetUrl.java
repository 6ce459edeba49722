package dev.doyen.hub.server.issuers;

import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.hub.auth.IssuerKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Downloads a key set periodically.
 *
 * <p>The class downloads the key set every {@link #REFRESH}. After a failure, or after a token with an unknown key, it
 * downloads earlier, but never twice within {@link #MIN_INTERVAL}. After a failure, the known keys stay valid.
 *
 * <p>One thread at a time may call {@link #run}.
 */
final class KeySetUrl implements RepeatedTask.Work {

    /** The time between two downloads, if nothing requires an earlier download. */
    static final Duration REFRESH = Duration.ofMinutes(10);

    /** The minimum time between two downloads. */
    static final Duration MIN_INTERVAL = Duration.ofSeconds(30);

    private static final int TIMEOUT_MILLIS = 4_000;
    private static final Duration TOTAL_TIMEOUT = Duration.ofSeconds(8);
    private static final int OK = 200;

    private final URI url;
    private final LongSupplier nanos;
    private final BooleanSupplier isKeyUnknown;
    private final Consumer<IssuerKeys> found;
    private boolean attempted;
    private boolean isWanted;
    private long lastNanos;
    private @Nullable String lastText;
    private @Nullable IOException failure;

    /**
     * @param nanos the monotonic clock
     * @param isKeyUnknown returns true if a token has named an unknown key since the last call
     * @param found receives each changed key set
     */
    KeySetUrl(URI url, LongSupplier nanos, BooleanSupplier isKeyUnknown, Consumer<IssuerKeys> found) {
        this.url = url;
        this.nanos = nanos;
        this.isKeyUnknown = isKeyUnknown;
        this.found = found;
    }

    /**
     * Downloads the key set if a download is due. If the last download failed, the method throws the exception of that
     * download.
     */
    @Override
    public void run() throws IOException {
        isWanted |= isKeyUnknown.getAsBoolean();
        long sinceNanos = nanos.getAsLong() - lastNanos;
        Duration interval = isWanted || failure != null ? MIN_INTERVAL : REFRESH;
        if (!attempted || sinceNanos >= interval.toNanos()) {
            attempted = true;
            isWanted = false;
            lastNanos = nanos.getAsLong();
            failure = null;
            try {
                use(download());
            } catch (IOException | IllegalArgumentException e) {
                failure = new IOException(
                        url + " cannot be used: " + e.getMessage() + "; the hub continues with the keys that it knows",
                        e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void use(String text) {
        if (!text.equals(lastText)) {
            found.accept(IssuerKeys.parse(text));
            lastText = text;
        }
    }

    private String download() throws IOException {
        long startNanos = nanos.getAsLong();
        var connection = (HttpURLConnection) url.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        // A redirect could lead to an address that the settings do not name.
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "application/jwk-set+json, application/json");
        try {
            if (connection.getResponseCode() != OK) {
                throw new IOException("the answer has the status " + connection.getResponseCode());
            }
            try (InputStream in = connection.getInputStream()) {
                return text(in, startNanos);
            }
        } finally {
            connection.disconnect();
        }
    }

    private String text(InputStream in, long startNanos) throws IOException {
        var bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8_192];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            bytes.write(buffer, 0, count);
            if (bytes.size() > IssuerKeys.MAX_LENGTH) {
                throw new IOException("the answer has more than " + IssuerKeys.MAX_LENGTH + " bytes");
            }
            // The read timeout of the JDK restarts with each byte, so it does not limit the total time.
            if (nanos.getAsLong() - startNanos > TOTAL_TIMEOUT.toNanos()) {
                throw new IOException("the answer takes longer than " + TOTAL_TIMEOUT.toSeconds() + " s");
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
