package dev.doyen.elector.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.reload.RepeatedTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which files a server accepts as its certificate and key, and what happens when they change. */
@Timeout(60)
class ServerTlsTest {

    @TempDir
    private Path directory;

    @Test
    void only_TLS_1_2_and_1_3_are_enabled() throws Exception {
        try (var tls = ServerTls.open(TestCertificates.server(directory, "ec.pem", "ec-pkcs8.key"))) {
            assertThat(tls.newEngine().getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rsa.pem | ec-pkcs8.key | cannot be used for TLS",
                "ec.pem | rsa-pkcs8.key | cannot be used for TLS",
                "ec.pem | client.key | the certificate and the key do not belong together; replace one of them",
                "ec.pem | ec-password.key | a private key of the kind ENCRYPTED; convert it to PKCS #8 without a password",
                "ec.pem | ec.pem | it contains no private key",
            })
    void a_key_that_cannot_be_used_is_rejected_with_the_file(String certificate, String key, String reason)
            throws Exception {
        var files = TestCertificates.server(directory, certificate, key);
        assertThatThrownBy(() -> ServerTls.open(files))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(directory.resolve("tls.key").toString())
                .hasMessageContaining(reason);
    }

    @Test
    void a_file_that_is_no_certificate_is_missing_or_is_too_long_is_rejected() throws Exception {
        var files = TestCertificates.server(directory, "ec-pkcs8.key", "ec-pkcs8.key");
        assertThatThrownBy(() -> ServerTls.open(files)).hasMessageStartingWith(files.certificate() + " cannot be used");
        Files.write(files.certificate(), new byte[TlsFiles.MAX_FILE_BYTES + 1]);
        assertThatThrownBy(() -> ServerTls.open(files)).hasMessageContaining("more than 1048576 bytes");
        Files.delete(files.certificate());
        assertThatThrownBy(() -> ServerTls.open(files)).hasMessage(files.certificate() + " does not exist");
    }

    @Test
    void files_that_do_not_match_leave_the_certificate_in_use_and_are_logged() throws Exception {
        try (var tls = ServerTls.open(
                        TestCertificates.server(directory, "ec.pem", "ec-pkcs8.key"), Duration.ofMillis(1));
                var line = new NextLine(RepeatedTask.class)) {
            TestCertificates.server(directory, "ec.pem", "client.key");
            assertThat(line.get())
                    .startsWith(
                            "reloading the TLS certificate failed and is tried again: " + directory.resolve("tls.key"))
                    .endsWith(
                            "do not belong together; replace one of them; the program continues with the previous TLS certificate");
            assertThat(tls.newEngine().getEnabledProtocols()).isNotEmpty();
        }
    }

    @Test
    void changed_files_are_found_without_a_signal() throws Exception {
        var files = TestCertificates.server(directory, "ec.pem", "ec-pkcs8.key");
        try (var tls = ServerTls.open(files, Duration.ofMillis(1));
                var line = new NextLine(ServerTls.class)) {
            TestCertificates.server(directory, "ec.pem", "ec-sec1.key");
            assertThat(line.get()).startsWith("reloaded the TLS certificate " + files.certificate() + ", valid until ");
        }
    }

    /** Waits for the next line that a class logs. */
    private static final class NextLine extends Handler implements AutoCloseable {
        private final Logger logger;
        private final CompletableFuture<String> line = new CompletableFuture<>();

        NextLine(Class<?> of) {
            logger = Logger.getLogger(of.getName());
            logger.addHandler(this);
        }

        String get() throws Exception {
            return line.get(60, TimeUnit.SECONDS);
        }

        @Override
        public void publish(LogRecord published) {
            line.complete(published.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }
}
