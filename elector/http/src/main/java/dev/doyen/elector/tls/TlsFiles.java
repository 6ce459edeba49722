package dev.doyen.elector.tls;

import dev.doyen.elector.reload.ReloadedFiles;
import dev.doyen.text.Pem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The PEM files of a server's TLS.
 *
 * @param certificate the server's certificate, followed by the certificates of its authorities
 * @param key the private key in PKCS #8, PKCS #1 or SEC 1, without a password
 * @param clientAuthorities the authorities that may sign client certificates; if empty, the server requests no client
 *     certificate
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientAuthorities)
        implements ReloadedFiles.Source<TlsFiles.Contents, ServerCredentials> {

    /** The maximum size of a file in bytes. A bundle of all public authorities has about 200 KiB. */
    static final int MAX_FILE_BYTES = 1024 * 1024;

    /** The bytes of the files. Two contents are equal if all bytes are equal. */
    public record Contents(ByteBuffer certificate, ByteBuffer key, Optional<ByteBuffer> clientAuthorities) {}

    /** @throws IOException if a file cannot be read; the message contains the file and the reason */
    @Override
    public Contents read() throws IOException {
        return new Contents(
                bytes(certificate),
                bytes(key),
                clientAuthorities.isPresent() ? Optional.of(bytes(clientAuthorities.get())) : Optional.empty());
    }

    /** @throws IOException if a file has no valid content; the message contains the file and the reason */
    @Override
    public ServerCredentials parse(Contents contents) throws IOException {
        var chain =
                parse(certificate, () -> Pem.certificates(contents.certificate().array()));
        var privateKey = parse(key, () -> Pem.privateKey(contents.key().array(), chain.get(0)));
        List<X509Certificate> authorities = List.of();
        if (clientAuthorities.isPresent()) {
            var bytes = contents.clientAuthorities().orElseThrow().array();
            authorities = parse(clientAuthorities.get(), () -> Pem.certificates(bytes));
        }
        var trusted = authorities;
        return parse(key, () -> ServerCredentials.of(chain, privateKey, trusted));
    }

    private interface Parsing<T> {
        T run() throws GeneralSecurityException;
    }

    private <T> T parse(Path file, Parsing<T> parsing) throws IOException {
        try {
            return parsing.run();
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    private static ByteBuffer bytes(Path file) throws IOException {
        return ByteBuffer.wrap(ReloadedFiles.bytes(file, MAX_FILE_BYTES, "a PEM file"));
    }
}
