package dev.doyen.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate for a test's server on 127.0.0.1, created with the JDK's keytool.
 *
 * @param certificate the PEM file with the certificate, which the server presents and the client trusts
 * @param key the PEM file with the server's private key
 */
public record ServerCertificate(Path certificate, Path key) {

    private static final String PASSWORD = "changeit";

    /** Creates a certificate in this directory. */
    public static ServerCertificate in(Path directory) throws Exception {
        Path store = directory.resolve("server.p12");
        int exit = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException(
                    "keytool made no certificate:\n" + Files.readString(directory.resolve("keytool.log")));
        }
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return new ServerCertificate(
                pem(
                        directory.resolve("certificate.pem"),
                        "CERTIFICATE",
                        keys.getCertificate("server").getEncoded()),
                pem(
                        directory.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path file, String what, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
