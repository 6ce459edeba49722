package dev.doyen.elector.tls;

import dev.doyen.text.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates for tests, which are valid for 100 years. Their keys are public, so no program may trust them.
 *
 * <p>{@code ca.pem} signed {@code rsa.pem}, {@code ec.pem} and {@code client.pem}. Another authority signed {@code
 * stranger.pem}.
 */
public final class TestCertificates {

    private static final char[] NO_PASSWORD = {};

    private TestCertificates() {}

    /** Writes the files of a server into this directory, and replaces earlier files. */
    public static TlsFiles server(Path directory, String certificate, String key) throws IOException {
        return new TlsFiles(
                write(directory.resolve("tls.crt"), certificate),
                write(directory.resolve("tls.key"), key),
                Optional.of(write(directory.resolve("ca.crt"), "ca.pem")));
    }

    /** Replaces the file at once, so that no reader finds a part of it. */
    private static Path write(Path file, String name) throws IOException {
        var complete = Files.write(file.resolveSibling("new"), bytes(name));
        return Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns a client that trusts the authority. */
    public static SSLContext client() throws GeneralSecurityException, IOException {
        return client(emptyStore());
    }

    /** Returns a client that trusts the authority, and has this certificate. */
    public static SSLContext client(String certificate) throws GeneralSecurityException, IOException {
        var own = emptyStore();
        var chain = Pem.certificates(bytes(certificate)).toArray(X509Certificate[]::new);
        own.setKeyEntry("client", Pem.privateKey(bytes("client.key"), chain[0]), NO_PASSWORD, chain);
        return client(own);
    }

    /** Writes a trust store with the authority, in the format PKCS #12. */
    public static void writeTrustStore(Path file, String password) throws GeneralSecurityException, IOException {
        try (var out = Files.newOutputStream(file)) {
            authority().store(out, password.toCharArray());
        }
    }

    private static KeyStore authority() throws GeneralSecurityException, IOException {
        var trusted = emptyStore();
        trusted.setCertificateEntry("ca", Pem.certificates(bytes("ca.pem")).get(0));
        return trusted;
    }

    private static SSLContext client(KeyStore own) throws GeneralSecurityException, IOException {
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authority());
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, NO_PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static byte[] bytes(String name) throws IOException {
        try (var in = Objects.requireNonNull(TestCertificates.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
