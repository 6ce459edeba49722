package dev.doyen.elector.tls;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import javax.net.ssl.SSLEngine;

/**
 * The current TLS certificate of a server. The class reads the files again when they change.
 *
 * <p>A new connection uses the current certificate. Open connections continue with the certificate of their handshake.
 * If the changed files cannot be used, the class logs a warning and keeps the current certificate.
 *
 * <p>Threads: any. A separate thread reads the files.
 */
public final class ServerTls implements AutoCloseable {

    /** The time between two checks of the files. */
    public static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(ServerTls.class.getName());

    private final TlsFiles files;
    private final RepeatedTask reloading;
    private TlsFiles.Contents contents;
    private volatile ServerCredentials current;

    private ServerTls(TlsFiles files, Duration checkInterval) throws IOException {
        this.files = files;
        contents = files.read();
        current = files.parse(contents);
        reloading = new RepeatedTask("reloading the TLS certificate", checkInterval, this::reload);
    }

    /**
     * Reads the files, and checks every {@link #CHECK_INTERVAL} whether they have changed.
     *
     * @throws IOException if a file cannot be used; the message contains the file and the reason
     */
    public static ServerTls open(TlsFiles files) throws IOException {
        return open(files, CHECK_INTERVAL);
    }

    static ServerTls open(TlsFiles files, Duration checkInterval) throws IOException {
        return new ServerTls(files, checkInterval);
    }

    /** Returns the engine of a new connection, with the current certificate. */
    public SSLEngine newEngine() {
        return current.newEngine();
    }

    /**
     * Reads the files now. If they have changed, new connections use the new certificate.
     *
     * @throws IOException if a file cannot be used; the current certificate then stays in use
     */
    public synchronized void reload() throws IOException {
        try {
            var read = files.read();
            if (!read.equals(contents)) {
                current = files.parse(read);
                contents = read;
                LOG.log(
                        Level.INFO,
                        "reloaded the TLS certificate " + files.certificate() + ", valid until " + current.expiry());
            }
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; the previous certificate stays in use", e);
        }
    }

    /** Stops checking the files. */
    @Override
    public void close() {
        reloading.close();
    }
}
