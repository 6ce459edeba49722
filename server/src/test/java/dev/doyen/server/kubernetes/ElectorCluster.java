package dev.doyen.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.stores.kubernetes.KubernetesAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * A namespace of a test's own on a real API server with its controllers: one app's service account, Pods that no kubelet
 * runs, and the Lease of its election. The server is one for all tests of this JVM.
 */
public final class ElectorCluster {

    /** What nais/elector 80dbfeb ships (charts/elector/templates/cluster_role.yaml): Leases can be made, not changed. */
    public static final Role OF_NAIS =
            new Role(List.of("get", "create", "list", "watch"), List.of("get", "list", "watch"));

    private static final Path SHIPPED = Path.of("../deploy/helm/doyen-elector/templates/elector-clusterrole.yaml");
    private static final AtomicReference<KubernetesServer> SERVER = new AtomicReference<>();

    private final String namespace = "n" + UUID.randomUUID();
    private final String election;
    private final KubernetesServer server;
    private final Account admin;

    /** What an account may do with the Leases and the Pods of its namespace. */
    public record Role(List<String> leases, List<String> pods) {

        /** The ClusterRole of the Helm chart, as it is on NAIS. */
        public static Role shippedForNais() throws IOException {
            return shipped("get, list, watch");
        }

        /** The same, as it is anywhere else. */
        public static Role shipped() throws IOException {
            return shipped("get");
        }

        private static Role shipped(String pods) throws IOException {
            var chart = Files.readString(SHIPPED);
            var leases = Pattern.compile("resources: \\[leases]\n +verbs: \\[([a-z, ]+)]")
                    .matcher(chart);
            assertThat(leases.find()).as(chart).isTrue();
            assertThat(chart).contains("verbs: [" + pods + "]\n");
            return new Role(List.of(leases.group(1).split(", ")), List.of(pods.split(", ")));
        }
    }

    private ElectorCluster(KubernetesServer server, String election) throws Exception {
        this.server = server;
        this.election = election;
        this.admin = new Account(server, server.adminToken());
    }

    /** Skips the test if this machine has no API server. */
    public static synchronized ElectorCluster start(String election) throws Exception {
        KubernetesServer.assumeInstalled();
        if (SERVER.get() == null) {
            var started = KubernetesServer.start(
                    Files.createTempDirectory(Path.of("target").toAbsolutePath(), "kubernetes"));
            started.startControllerManager();
            SERVER.set(started);
        }
        return new ElectorCluster(SERVER.get(), election);
    }

    public KubernetesServer server() {
        return server;
    }

    public String namespace() {
        return namespace;
    }

    public String election() {
        return election;
    }

    /** A kubeconfig for the service account of this name, which may do what the role says as soon as this returns. */
    public Path account(String name, Role role) throws Exception {
        var kubeconfig = server.kubeconfig(namespace + "/" + name);
        var roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/";
        server.make(roles + "roles", """
                {"metadata":{"name":"%s"},"rules":[
                {"apiGroups":["coordination.k8s.io"],"resources":["leases"],"verbs":["%s"]},
                {"apiGroups":[""],"resources":["pods"],"verbs":["%s"]}]}""".formatted(
                        name, String.join("\",\"", role.leases), String.join("\",\"", role.pods)));
        server.make(roles + "rolebindings", """
                {"metadata":{"name":"%1$s"},
                "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"%1$s"},
                "subjects":[{"kind":"ServiceAccount","name":"%1$s","namespace":"%2$s"}]}""".formatted(name, namespace));
        // The authorizer learns of a Role by a watch of its own.
        while (!may("kubernetes:" + namespace + "?kubeconfig=" + kubeconfig)) {
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
        }
        return kubeconfig;
    }

    private boolean may(String url) {
        var report = KubernetesAccess.check(url, election);
        return report.mayCreate() && report.mayGetPods();
    }

    Account asAccount(String name) throws Exception {
        return new Account(server, server.serviceAccountToken(namespace, name));
    }

    String leases() {
        return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    String pods() {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    /** A Pod of this name, as good as started. */
    public void makePod(String name) throws Exception {
        var made = admin.ask(
                "POST",
                pods(),
                "{\"metadata\":{\"name\":\"" + name
                        + "\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    }

    /** As a kubelet does when the Pod's containers have ended. */
    public void deletePod(String name) throws Exception {
        var deleted = admin.ask("DELETE", pods() + "/" + name, "{\"gracePeriodSeconds\":0}");
        assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
    }

    /** As {@code kubectl get lease ELECTION -o json} shows it; missing if it is not there. */
    public JsonNode lease() throws Exception {
        var answer = admin.ask("GET", leases() + "/" + election, "");
        return answer.statusCode() == 404 ? Account.json("{}").path("absent") : Account.json(answer);
    }

    /** The columns of {@code kubectl get lease ELECTION}, and what stands in them. */
    public JsonNode leaseTable() throws Exception {
        return Account.json(
                admin.ask("GET", leases() + "/" + election, "", "application/json;as=Table;v=v1;g=meta.k8s.io"));
    }
}
