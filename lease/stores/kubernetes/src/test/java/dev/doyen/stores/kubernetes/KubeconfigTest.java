package dev.doyen.stores.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.Cluster;
import dev.doyen.testkit.ServerCertificate;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how the store determines its API server and its credentials. No message may contain a secret. */
class KubeconfigTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kubernetes:Team_A | \"Team_A\" is not a namespace",
                "kubernetes:../kube-system | is not a namespace",
                "kubernetes:team-a?ttl=3 | does not accept the parameter \"ttl\"",
                "kubernetes:?timeout-millis=1 | timeout-millis is a number of milliseconds from 50 to 60000",
            })
    void invalid_values_are_rejected_with_a_sentence(String url, String message) {
        assertThatThrownBy(() -> LeaseStore.open(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exec: {command: aws} | authenticates by \"exec\", a program that Doyen does not run",
                "auth-provider: {name: gcp} | authenticates by \"auth-provider\"",
                "client-certificate-data: '%%%', client-key-data: czNjcmV0 | client-certificate-data is not base64",
            })
    void an_unsupported_user_is_rejected_with_a_sentence(String user, String message) throws Exception {
        Path file = kubeconfig("config", "server: 'https://127.0.0.1:1'", user);
        assertThatThrownBy(() -> LeaseStore.open("kubernetes:?kubeconfig=" + file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server: 'https://127.0.0.1:1', insecure-skip-tls-verify: true | insecure-skip-tls-verify",
                "server: 'https://127.0.0.1:1', proxy-url: 'http://p' | proxy-url",
                "server: 'http://127.0.0.1:1' | no server such as https://10.0.0.1:6443",
            })
    void a_cluster_without_verified_tls_is_rejected(String cluster, String message) throws Exception {
        Path file = kubeconfig("config", cluster, "token: s3cret");
        assertThatThrownBy(() -> LeaseStore.open("kubernetes:?kubeconfig=" + file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_key_that_does_not_belong_to_the_certificate_is_rejected() throws Exception {
        var certificate = ServerCertificate.in(Files.createDirectory(folder.resolve("one")));
        var other = ServerCertificate.in(Files.createDirectory(folder.resolve("other")));
        Path file = kubeconfig(
                "config",
                "server: 'https://127.0.0.1:1'",
                "client-certificate: '" + certificate.certificate() + "', client-key: '" + other.key() + "'");
        assertThatThrownBy(() -> LeaseStore.open("kubernetes:?kubeconfig=" + file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("the certificate and the key do not belong together; replace one of them");
    }

    @Test
    void invalid_yaml_is_not_printed() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "users: [s3cret: {");
        assertThatThrownBy(() -> LeaseStore.open("kubernetes:?kubeconfig=" + file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be read as YAML")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_token_with_a_final_line_break_is_valid() throws Exception {
        Path file = kubeconfig("config", "server: 'https://127.0.0.1:1'", "token: \"a\\n\"");
        assertThat(KubernetesSettings.of("kubernetes:?kubeconfig=" + file)
                        .cluster(Map.of(), folder)
                        .token()
                        .header())
                .contains("Bearer a");
    }

    @Test
    void a_malformed_token_is_not_printed() throws Exception {
        Path file = kubeconfig("config", "server: 'https://127.0.0.1:1'", "token: \"s3cret\\nmore\"");
        assertThatThrownBy(() -> LeaseStore.open("kubernetes:?kubeconfig=" + file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the token contains white space")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void the_first_of_several_files_with_a_value_is_used() throws Exception {
        Path first = kubeconfig("first", "server: 'https://first:1'", "token: a");
        Path second = kubeconfig("second", "server: 'https://second:1'", "token: b");
        Path missing = folder.resolve("missing");
        Cluster cluster = KubernetesSettings.of("kubernetes:")
                .cluster(
                        Map.of("KUBECONFIG", missing + File.pathSeparator + second + File.pathSeparator + first),
                        folder.resolve("no-account"));
        assertThat(cluster.server()).hasHost("second");
        assertThat(cluster.token().header()).contains("Bearer b");
        assertThat(cluster.namespace()).isEqualTo("of-context");
    }

    @Test
    void a_pod_uses_its_own_account_by_default() throws Exception {
        Path account = Files.createDirectory(folder.resolve("account"));
        Files.writeString(account.resolve("token"), "projected\n");
        Files.writeString(account.resolve("namespace"), "team-a");
        Files.copy(ServerCertificate.in(folder).certificate(), account.resolve("ca.crt"));
        Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");
        Cluster cluster = KubernetesSettings.of("kubernetes:").cluster(pod, account);
        assertThat(cluster.server()).hasToString("https://[fd00::1]:6443");
        assertThat(cluster.token().header()).contains("Bearer projected");
        assertThat(cluster.namespace()).isEqualTo("team-a");
        assertThat(KubernetesSettings.of("kubernetes:team-b")
                        .cluster(pod, account)
                        .namespace())
                .isEqualTo("team-b");
        Path file = kubeconfig("config", "server: 'https://elsewhere:1'", "token: b");
        assertThat(KubernetesSettings.of("kubernetes:?kubeconfig=" + file)
                        .cluster(pod, account)
                        .server())
                .hasHost("elsewhere");
    }

    @Test
    void valid_names_are_kept_and_other_names_stay_distinct() {
        assertThat(LeaseObjectNames.of("orders.eu-1")).isEqualTo("orders.eu-1");
        assertThat(LeaseObjectNames.of("~session/1")).startsWith("doyen--session-1-");
        assertThat(LeaseObjectNames.of("Orders")).isNotEqualTo(LeaseObjectNames.of("orders"));
        String encoded = LeaseObjectNames.of("Orders");
        assertThat(LeaseObjectNames.of(encoded))
                .as("a name that looks encoded is encoded too")
                .isNotEqualTo(encoded);
        for (String name : new String[] {"a..b", "-a", "a-", "ä", "x".repeat(254), "/", "a_b"}) {
            assertThat(LeaseObjectNames.isObjectName(LeaseObjectNames.of(name)))
                    .as(name)
                    .isTrue();
        }
    }

    private Path kubeconfig(String name, String cluster, String user) throws Exception {
        return Files.writeString(folder.resolve(name), """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u, namespace: of-context}}]
                clusters: [{name: c, cluster: {%s}}]
                users: [{name: u, user: {%s}}]
                """.formatted(cluster, user));
    }
}
