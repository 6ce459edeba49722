package dev.doyen.program.kubernetes;

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
 * A namespace for one test on a real API server with its controllers.
 *
 * <p>The namespace contains the service account of one app, Pods that no kubelet runs, and the Lease of the election.
 * All tests of this JVM share the server.
 */
public final class ElectorCluster {

    /**
     * The role in charts/elector/templates/cluster_role.yaml of nais/elector, at commit 80dbfeb. An account with this
     * role can create Leases, but cannot update them.
     */
    public static final Role OF_NAIS =
            new Role(List.of("get", "create", "list", "watch"), List.of("get", "list", "watch"));

    private static final Path SHIPPED =
            Path.of("../../kubernetes/helm/doyen-elector/templates/elector-clusterrole.yaml");
    private static final AtomicReference<KubernetesServer> SERVER = new AtomicReference<>();

    private final String namespace = "n" + UUID.randomUUID();
    private final String election;
    private final KubernetesServer server;
    private final Account admin;

    /** The permitted verbs of an account on the Leases and the Pods of its namespace. */
    public record Role(List<String> leases, List<String> pods) {

        /** Returns the ClusterRole of the Helm chart as installed on NAIS. */
        public static Role shippedForNais() throws IOException {
            return shipped("get, list, watch");
        }

        /** Returns the ClusterRole of the Helm chart as installed outside NAIS. */
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

    /** Starts the server if necessary; skips the test if this machine has no API server. */
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

    /**
     * Creates a service account with this role, waits until the role is effective, and returns the account's
     * kubeconfig.
     */
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
        // The authorizer reads a new Role asynchronously, through its own watch.
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

    /** Creates a Pod with this name. No kubelet runs the Pod. */
    public void makePod(String name) throws Exception {
        var made = admin.send(
                "POST",
                pods(),
                "{\"metadata\":{\"name\":\"" + name
                        + "\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    }

    /** Deletes a Pod as a kubelet does after its containers have ended. */
    public void deletePod(String name) throws Exception {
        var deleted = admin.send("DELETE", pods() + "/" + name, "{\"gracePeriodSeconds\":0}");
        assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
    }

    /** Returns the Lease as in {@code kubectl get lease ELECTION -o json}; a missing node if no Lease exists. */
    public JsonNode lease() throws Exception {
        var answer = admin.send("GET", leases() + "/" + election, "");
        return answer.statusCode() == 404 ? Account.json("{}").path("absent") : Account.json(answer);
    }

    /** Returns the columns and cells of {@code kubectl get lease ELECTION}. */
    public JsonNode leaseTable() throws Exception {
        return Account.json(
                admin.send("GET", leases() + "/" + election, "", "application/json;as=Table;v=v1;g=meta.k8s.io"));
    }
}
