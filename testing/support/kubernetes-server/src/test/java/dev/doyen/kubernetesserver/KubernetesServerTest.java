package dev.doyen.kubernetesserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.ServerProcess;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the properties of the API server on which other tests rely.
 *
 * <p>The server stores objects, issues tokens, collects garbage, and restarts on the same port. A server process ends
 * when its JVM is killed.
 */
@Timeout(600)
class KubernetesServerTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    @TempDir
    static Path data;

    private static KubernetesServer server;

    @BeforeAll
    static void start() throws Exception {
        server = KubernetesServer.start(data);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void objects_survive_a_restart_of_the_api_server() throws Exception {
        server.make(LEASES, "{\"metadata\":{\"name\":\"kept\"}}");
        String url = server.url();
        server.stopApi();
        server.startApi();
        assertThat(server.url()).isEqualTo(url);
        assertThat(server.send("GET", LEASES + "/kept", "").statusCode()).isEqualTo(200);
    }

    @Test
    void a_service_account_has_a_valid_token_without_rights() throws Exception {
        String kubeconfig = Files.readString(server.kubeconfig("team/nobody"));
        assertThat(kubeconfig).contains("namespace: \"team\"").contains(server.url());
        HttpResponse<String> judged = server.send(
                "POST",
                "/apis/authentication.k8s.io/v1/tokenreviews",
                "{\"spec\":{\"token\":\"" + server.serviceAccountToken("team", "nobody") + "\"}}");
        assertThat(judged.body()).contains("system:serviceaccount:team:nobody");
    }

    @Test
    void the_controllers_delete_objects_of_a_deleted_pod() throws Exception {
        server.startControllerManager();
        String pods = "/api/v1/namespaces/default/pods";
        server.make(
                pods,
                "{\"metadata\":{\"name\":\"owner\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"none\"}]}}");
        String uid = server.send("GET", pods + "/owner", "").body().replaceAll("(?s).*?\"uid\": ?\"([^\"]+)\".*", "$1");
        server.make(
                LEASES,
                "{\"metadata\":{\"name\":\"owned\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":"
                        + "\"owner\",\"uid\":\"" + uid + "\"}]}}");
        server.send("DELETE", pods + "/owner", "");
        while (server.send("GET", LEASES + "/owned", "").statusCode() != 404) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Test
    void a_server_ends_when_the_jvm_that_started_it_is_killed() throws Exception {
        Process jvm = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartsOne.class.getName(),
                        data.resolve("sleeper.log").toString())
                .redirectErrorStream(true)
                .start();
        long pid = Long.parseLong(jvm.inputReader().readLine());
        ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
        jvm.destroyForcibly().onExit().get(60, TimeUnit.SECONDS);
        server.onExit().get(60, TimeUnit.SECONDS);
        assertThat(server.isAlive()).isFalse();
    }

    /** A program that starts a server, prints the server's process id, and waits until the program is killed. */
    static final class StartsOne {

        private StartsOne() {}

        public static void main(String[] args) throws Exception {
            String peer = "http://127.0.0.1:" + ServerProcess.freePort();
            ServerProcess.start(Path.of(args[0]), port -> {
                String client = "http://127.0.0.1:" + port;
                return List.of(
                        "etcd",
                        "--data-dir=" + args[0] + "-data",
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer);
            });
            ProcessHandle.current()
                    .children()
                    .filter(child -> child.info().command().orElse("").endsWith("etcd"))
                    .forEach(etcd -> System.out.println(etcd.pid()));
            new CountDownLatch(1).await();
        }
    }
}
