package dev.doyen.stores.kubernetes;

import static dev.doyen.stores.kubernetes.Api.record;
import static dev.doyen.stores.kubernetes.Api.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Tests that the Role in docs/reference/store-kubernetes.md is sufficient, and that the store reports each missing
 * verb.
 */
@Timeout(180)
class RoleTest {

    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/";

    private static KubernetesServer server;

    @BeforeAll
    static void start() throws Exception {
        server = Api.server();
    }

    @Test
    void the_documented_role_is_sufficient() throws Exception {
        String url = account("whole", "");
        try (LeaseStore store = LeaseStore.open(url);
                LeaseStore admin =
                        LeaseStore.open(Api.url(server, "admin").replace("kubernetes:", "kubernetes:team-a"))) {
            assertThat(store.promises().remarks()).noneMatch(remark -> remark.contains("may not"));
            assertThat(store.promises().watches()).isTrue();
            var announced = new Semaphore(0);
            LeaseStore.Watch watch = store.watch("orders", announced::release).orElseThrow();
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(store.read("orders").record()).isEmpty();
            LeaseVersion one = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record("orders", "n1", 1)));
            LeaseVersion two = written(store.compareAndSet("orders", one, record("orders", "n1", 1)));
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(store.compareAndSet("orders", one, record("orders", "n1", 1)))
                    .isInstanceOf(CasOutcome.Conflict.class);
            assertThat(store.read("orders").version()).isEqualTo(two);
            watch.close();
            assertThat(admin.read("orders").version()).isEqualTo(two);
            assertThatThrownBy(() -> store.read("invoices"))
                    .as("the Role gives no right to other Leases")
                    .isInstanceOf(StoreUnavailableException.class);
        } finally {
            Api.delete(server, Api.LEASES.replace("default", "team-a") + "/orders");
        }
        AccessReport report = KubernetesAccess.check(url, "orders");
        assertThat(report.missing()).isEmpty();
        assertThat(report.mayGetPods()).isFalse();
        assertThat(report.sentence()).isEmpty();
    }

    @Test
    void k5_a_pod_that_cannot_be_read_is_considered_alive() throws Exception {
        String url = account("podless", "");
        String leases = Api.LEASES.replace("default", "team-a");
        server.make(leases, "{\"metadata\":{\"name\":\"orders\"},\"spec\":{\"holderIdentity\":\"long-gone\"}}");
        try (LeaseStore store = LeaseStore.open(url)) {
            assertThat(store.read("orders").record().orElseThrow().holder()).isEqualTo("long-gone");
            assertThat(store.promises().remarks())
                    .anyMatch(remark -> remark.contains("may not get pods in namespace team-a"));
        } finally {
            Api.delete(server, leases + "/orders");
        }
    }

    @Test
    void without_create_an_existing_lease_works_and_a_missing_one_is_rejected() throws Exception {
        String url = account("no-create", "create");
        try (LeaseStore store = LeaseStore.open(url)) {
            assertThat(store.promises().remarks()).anyMatch(remark -> remark.contains("may not \"create\""));
            assertThat(refused(store.compareAndSet("orders", LeaseVersion.ABSENT, record("orders", "n1", 1))))
                    .endsWith("; let its Role grant that verb")
                    .contains("may not \"create\" leases.coordination.k8s.io in namespace team-a (403)");
            server.make(Api.LEASES.replace("default", "team-a"), "{\"metadata\":{\"name\":\"orders\"}}");
            written(store.compareAndSet("orders", store.read("orders").version(), record("orders", "n1", 1)));
        } finally {
            Api.delete(server, Api.LEASES.replace("default", "team-a") + "/orders");
        }
    }

    @Test
    void without_update_no_lease_is_renewed_and_the_report_has_a_remark() throws Exception {
        String url = account("no-update", "update");
        AccessReport report = KubernetesAccess.check(url, "orders");
        assertThat(report.mayRenew()).isFalse();
        assertThat(report.mayCreate()).isTrue();
        assertThat(report.sentence())
                .isEqualTo("the account may not \"update\" the Lease orders in namespace team-a: it can neither renew a"
                        + " lease nor take one over");
        try (LeaseStore store = LeaseStore.open(url)) {
            assertThat(store.promises().remarks()).anyMatch(remark -> remark.contains("may not \"update\""));
            LeaseVersion one = written(store.compareAndSet("orders", LeaseVersion.ABSENT, record("orders", "n1", 1)));
            assertThat(refused(store.compareAndSet("orders", one, record("orders", "n1", 1))))
                    .endsWith("; let its Role grant that verb")
                    .contains("may not \"update\" leases.coordination.k8s.io in namespace team-a (403)");
        } finally {
            Api.delete(server, Api.LEASES.replace("default", "team-a") + "/orders");
        }
    }

    @Test
    void without_list_no_lease_can_be_read() throws Exception {
        String url = account("no-list", "list");
        assertThat(KubernetesAccess.check(url, "orders").mayRenew()).isFalse();
        try (LeaseStore store = LeaseStore.open(url)) {
            assertThat(store.promises().remarks()).anyMatch(remark -> remark.contains("may not \"list\""));
            assertThatThrownBy(() -> store.read("orders"))
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("may not \"list\" leases.coordination.k8s.io in namespace team-a (403)");
        }
    }

    @Test
    void without_watch_the_store_is_polled() throws Exception {
        String url = account("no-watch", "watch");
        try (LeaseStore store = LeaseStore.open(url)) {
            assertThat(store.promises().watches()).isFalse();
            assertThat(store.promises().remarks()).anyMatch(remark -> remark.contains("may not \"watch\""));
            assertThat(store.watch("orders", () -> {})).isEmpty();
            assertThat(store.read("orders").record()).isEmpty();
        }
    }

    @Test
    void an_unknown_account_is_reported_and_its_token_is_not_printed() throws Exception {
        Path file = server.kubeconfig("team-a/stranger");
        Files.writeString(file, Files.readString(file).replaceAll("token: \"[^\"]*\"", "token: \"s3cret\""));
        assertThatThrownBy(() -> LeaseStore.open("kubernetes:?kubeconfig=" + file))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("does not accept the credentials (401)")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_missing_namespace_is_reported() throws Exception {
        try (LeaseStore store =
                LeaseStore.open(Api.url(server, "admin").replace("kubernetes:", "kubernetes:nowhere"))) {
            assertThat(unknown(store.compareAndSet("orders", LeaseVersion.ABSENT, record("orders", "n1", 1))))
                    .contains("has no namespace nowhere");
        }
    }

    private static String refused(CasOutcome outcome) {
        assertThat(((CasOutcome.Unknown) outcome).refused())
                .as(outcome.toString())
                .isTrue();
        return unknown(outcome);
    }

    private static String unknown(CasOutcome outcome) {
        assertThat(outcome).isInstanceOf(CasOutcome.Unknown.class);
        return ((CasOutcome.Unknown) outcome).reason();
    }

    /**
     * Creates a service account with the documented Role. If {@code without} is not empty, the Role lacks this verb.
     *
     * <p>Returns the store's URL after the server has applied the Role.
     */
    private static String account(String name, String without) throws Exception {
        String url = "kubernetes:?kubeconfig=" + server.kubeconfig("team-a/" + name);
        JsonObject role = documentedRole();
        role = role.with("metadata", role.at("metadata").with("name", name));
        List<Object> rules = role.objects("rules").stream()
                .map(rule -> rule.with(
                        "verbs",
                        rule.texts("verbs").stream()
                                .filter(verb -> !verb.equals(without))
                                .toList()))
                .filter(rule -> !rule.texts("verbs").isEmpty())
                .<Object>map(JsonObject::fields)
                .toList();
        server.make(
                ROLES + "roles",
                new String(role.with("rules", rules).bytes(), java.nio.charset.StandardCharsets.UTF_8));
        server.make(
                ROLES + "rolebindings",
                "{\"metadata\":{\"name\":\"%s\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":\"%s\"},\"subjects\":[{\"kind\":\"ServiceAccount\",\"name\":\"%s\",\"namespace\":\"team-a\"}]}"
                        .formatted(name, name, name));
        Set<String> missing = without.isEmpty() ? Set.of() : Set.of(without);
        while (!KubernetesAccess.check(url, "orders").missing().equals(missing)) {
            // The authorizer receives a new Role only after a moment, through its own watch.
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
        }
        return url;
    }

    @SuppressWarnings("unchecked")
    private static JsonObject documentedRole() throws Exception {
        String page = Files.readString(Path.of("../../../docs/reference/store-kubernetes.md"));
        Matcher yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(yaml.find()).isTrue();
        return new JsonObject(
                (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(yaml.group(1)));
    }
}
