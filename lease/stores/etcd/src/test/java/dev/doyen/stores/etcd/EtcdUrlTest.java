package dev.doyen.stores.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.ServerCertificate;
import dev.doyen.testkit.ServerProcess;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which URLs the store accepts. No message may contain a secret. */
class EtcdUrlTest {

    /** A long timeout, because the first TLS connection of a JVM takes seconds on a busy machine. */
    private static final String PATIENT = "timeout-millis=60000";

    @TempDir
    Path data;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "etcd://u:s3cret@h?tls=yes | tls is true or false, not \"yes\"",
                "etcd://u:s3cret@h?ca=/ca.pem | ca and cert require tls=true",
                "etcd://u:s3cret@h?tls=true&cert=/c.pem | cert and key go together",
                "etcd://u:s3cret@h,,i | needs hosts such as host:2379, separated by commas",
                "etcd://u:s3cret@h?ttl=3 | does not accept the parameter \"ttl\"",
            })
    void invalid_urls_are_rejected_with_a_sentence_without_the_password(String url, String message) {
        assertThatThrownBy(() -> LeaseStore.open(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_key_that_does_not_belong_to_the_certificate_is_rejected() throws Exception {
        var certificate = ServerCertificate.in(Files.createDirectory(data.resolve("one")));
        var other = ServerCertificate.in(Files.createDirectory(data.resolve("other")));
        String url = "etcd://127.0.0.1:1/tls?tls=true&cert=" + certificate.certificate() + "&key=" + other.key();
        assertThatThrownBy(() -> LeaseStore.open(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(certificate.certificate() + " and " + other.key())
                .hasMessageContaining("the certificate and the key do not belong together; replace one of them");
    }

    @Test
    void a_server_is_accepted_only_with_a_trusted_certificate() throws Exception {
        EtcdServers.assumeInstalled();
        var certificate = ServerCertificate.in(data);
        try (ServerProcess server = EtcdServers.start(
                data,
                "https",
                "--cert-file",
                certificate.certificate().toString(),
                "--key-file",
                certificate.key().toString())) {
            String url = "etcd://127.0.0.1:" + server.port() + "/tls?tls=true";
            try (LeaseStore store = LeaseStore.open(url + "&" + PATIENT + "&ca=" + certificate.certificate())) {
                assertThat(store.read("orders").version().isAbsent()).isTrue();
            }
            assertThatThrownBy(() -> LeaseStore.open(url)).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void credentials_are_sent_and_a_wrong_password_is_not_printed() throws Exception {
        EtcdServers.assumeInstalled();
        try (ServerProcess server = EtcdServers.start(data)) {
            try (Client operator = Client.builder()
                    .endpoints("http://127.0.0.1:" + server.port())
                    .build()) {
                Auth auth = operator.getAuthClient();
                var root = EtcdSettings.bytes("root");
                auth.userAdd(root, EtcdSettings.bytes("s3cret")).get(60, TimeUnit.SECONDS);
                auth.userGrantRole(root, root).get(60, TimeUnit.SECONDS);
                auth.authEnable().get(60, TimeUnit.SECONDS);
            }
            String place = "127.0.0.1:" + server.port() + "/auth";
            try (LeaseStore store = LeaseStore.open("etcd://root:s3cret@" + place + "?" + PATIENT)) {
                assertThat(store.read("orders").version().isAbsent()).isTrue();
            }
            assertThatThrownBy(() -> LeaseStore.open("etcd://root:wr0ng@" + place + "?" + PATIENT))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageEndingWith("; check the user and the password in the URL")
                    .hasMessageNotContaining("wr0ng");
            assertThatThrownBy(() -> LeaseStore.open("etcd://" + place))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageEndingWith("; check the user and the password in the URL");
        }
    }

    @Test
    void a_missing_permission_is_named() throws Exception {
        EtcdServers.assumeInstalled();
        String remedy = "permission readwrite on the keys with the prefix /auth/";
        try (ServerProcess server = EtcdServers.start(data);
                Client operator = Client.builder()
                        .endpoints("http://127.0.0.1:" + server.port())
                        .build()) {
            Auth auth = operator.getAuthClient();
            var root = EtcdSettings.bytes("root");
            auth.userAdd(root, EtcdSettings.bytes("s3cret")).get(60, TimeUnit.SECONDS);
            auth.userGrantRole(root, root).get(60, TimeUnit.SECONDS);
            var app = EtcdSettings.bytes("app");
            auth.roleAdd(app).get(60, TimeUnit.SECONDS);
            auth.roleGrantPermission(
                            app, EtcdSettings.bytes("/auth/"), EtcdSettings.bytes("/auth0"), Permission.Type.READ)
                    .get(60, TimeUnit.SECONDS);
            auth.userAdd(app, EtcdSettings.bytes("s3cret")).get(60, TimeUnit.SECONDS);
            auth.userGrantRole(app, app).get(60, TimeUnit.SECONDS);
            auth.authEnable().get(60, TimeUnit.SECONDS);
            String place = "etcd://app:s3cret@127.0.0.1:" + server.port();
            try (LeaseStore store = LeaseStore.open(place + "/auth?" + PATIENT)) {
                assertThat(store.missingRights()).singleElement().asString().contains(remedy);
                assertThat(store.read("orders").version().isAbsent()).isTrue();
                var record = LeaseRecord.unheld("orders", 1, "nonce", Duration.ofSeconds(10), Instant.EPOCH);
                assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record))
                        .isInstanceOfSatisfying(CasOutcome.Unknown.class, unknown -> {
                            assertThat(unknown.refused()).isTrue();
                            assertThat(unknown.reason()).contains("PERMISSION_DENIED", remedy);
                        });
            }
            assertThatThrownBy(() -> LeaseStore.open(place + "/other?" + PATIENT))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("PERMISSION_DENIED")
                    .hasMessageContaining("prefix /other/");
        }
    }
}
