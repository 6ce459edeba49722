package dev.doyen.elector.tls;

import dev.doyen.elector.reload.ReloadedFiles;
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
 * <p>Threads: any. {@link #open} and {@link #reload} read the files on the calling thread. A separate thread checks the
 * files for changes.
 */
public final class ServerTls implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ServerTls.class.getName());

    private final ReloadedFiles<TlsFiles.Contents, ServerCredentials> credentials;

    private ServerTls(ReloadedFiles<TlsFiles.Contents, ServerCredentials> credentials) {
        this.credentials = credentials;
    }

    /**
     * Reads the files, and checks every {@link ReloadedFiles#CHECK_INTERVAL} whether they have changed.
     *
     * @throws IOException if a file cannot be used; the message contains the file and the reason
     */
    public static ServerTls open(TlsFiles files) throws IOException {
        return open(files, ReloadedFiles.CHECK_INTERVAL);
    }

    static ServerTls open(TlsFiles files, Duration checkInterval) throws IOException {
        var credentials = ReloadedFiles.open("TLS certificate", files);
        credentials.start(
                checkInterval,
                changed -> LOG.log(
                        Level.INFO,
                        "reloaded the TLS certificate " + files.certificate() + ", valid until " + changed.expiry()));
        return new ServerTls(credentials);
    }

    /** Returns the engine of a new connection, with the current certificate. */
    public SSLEngine newEngine() {
        return credentials.current().newEngine();
    }

    /**
     * Reads the files now. If they have changed, new connections use the new certificate.
     *
     * @throws IOException if a file cannot be used; the current certificate then stays in use
     */
    public void reload() throws IOException {
        credentials.reload();
    }

    /** Stops checking the files. */
    @Override
    public void close() {
        credentials.close();
    }
}
