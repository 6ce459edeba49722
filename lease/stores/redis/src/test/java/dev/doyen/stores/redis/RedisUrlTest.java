package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.ServerCertificate;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which URLs the store accepts. No message may contain a secret. */
class RedisUrlTest {

    @TempDir
    Path data;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://u:s3cret@a,b/x | names 2 hosts; a lease needs one server",
                "redis://u:s3cret@h/x?retries=3 | does not accept the parameter \"retries\"; it accepts database, timeout-millis",
                "redis://u:s3cret@h/x?timeout-millis=1 | timeout-millis is a number of milliseconds from 50 to 60000",
                "redis://u:s3cret@h/x?database=one | database is a number such as 0",
                "redis://u:s3cret@h:redis/x | needs hosts such as host:6379",
                "redis://u:s3cret%@h/x | a % in the URL is not followed by two hexadecimal digits",
                "redis://s3cret@h/x | names a user and no password; set the environment's DOYEN_STORE_PASSWORD"
            })
    void invalid_urls_are_rejected_with_a_sentence_without_the_password(String url, String message) {
        assertThatThrownBy(() -> LeaseStore.open(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_server_is_accepted_only_with_a_trusted_certificate() throws Exception {
        RedisServers.assumeInstalled();
        var certificate = ServerCertificate.in(data);
        try (ServerProcess server = RedisServers.start(
                data,
                "--port",
                "0",
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-ca-cert-file",
                certificate.certificate().toString(),
                "--tls-auth-clients",
                "no")) {
            // The timeout is long, because the first TLS connection of a JVM takes seconds on a busy machine.
            String url = "rediss://127.0.0.1:" + server.port() + "/tls";
            try (LeaseStore store = LeaseStore.open(url + "?timeout-millis=60000&ca=" + certificate.certificate())) {
                assertThat(store.read("orders").version().isAbsent()).isTrue();
            }
            assertThatThrownBy(() -> LeaseStore.open(url)).isInstanceOf(StoreUnavailableException.class);
        }
    }
}
