package dev.doyen.stores.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** A real API server that all tests of this JVM share, and requests to it. The server ends with the JVM. */
final class Api {

    static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    static final String PODS = "/api/v1/namespaces/default/pods";

    private static final AtomicReference<KubernetesServer> SERVER = new AtomicReference<>();

    private Api() {}

    /** Skips the test if no API server is installed. */
    static synchronized KubernetesServer server() throws Exception {
        KubernetesServer.assumeInstalled();
        if (SERVER.get() == null) {
            Path data = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "kubernetes");
            SERVER.set(KubernetesServer.start(data));
            // The server creates this namespace only a moment after it is ready, so create the namespace here.
            SERVER.get().make("/api/v1/namespaces", "{\"metadata\":{\"name\":\"default\"}}");
        }
        return SERVER.get();
    }

    static String url(KubernetesServer server, String user) {
        try {
            return "kubernetes:?kubeconfig=" + server.kubeconfig(user);
        } catch (Exception e) {
            throw new IllegalStateException("no kubeconfig for " + user, e);
        }
    }

    static LeaseStore open(KubernetesServer server) {
        return LeaseStore.open(url(server, "admin"));
    }

    static String version(KubernetesServer server) {
        try {
            JsonObject info = JsonObject.read(server.send("GET", "/version", "").body());
            return "kubernetes " + info.text("gitVersion").orElse("?");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException("the server does not report its version", e);
        }
    }

    /** Returns the Lease as {@code kubectl get lease NAME -o json} shows it. */
    static LeaseObject lease(KubernetesServer server, String name) throws Exception {
        return new LeaseObject(ok(server.send("GET", LEASES + "/" + name, "")));
    }

    /** Creates a Lease with the fields that another elector writes. */
    static void make(KubernetesServer server, String name, String spec) throws Exception {
        ok(server.send("POST", LEASES, "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":" + spec + "}"));
    }

    /** Changes only the fields of a Lease that {@code json} contains, as another elector does. */
    static void patch(KubernetesServer server, String name, String json) throws Exception {
        ok(server.send("PATCH", LEASES + "/" + name, json));
    }

    static void delete(KubernetesServer server, String path) throws Exception {
        ok(server.send("DELETE", path, "{\"gracePeriodSeconds\":0}"));
    }

    /** Creates a Pod that no kubelet runs, and returns its uid. */
    static String pod(KubernetesServer server, String name) throws Exception {
        JsonObject made = ok(server.send(
                "POST",
                PODS,
                "{\"metadata\":{\"name\":\"" + name
                        + "\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}"));
        return made.at("metadata").text("uid").orElseThrow();
    }

    static JsonObject ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return JsonObject.read(answer.body());
    }

    static LeaseVersion written(CasOutcome outcome) {
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }

    static LeaseRecord record(String election, String holder, long term) {
        return new LeaseRecord(
                election,
                holder,
                holder.isEmpty() ? "" : holder + "-1",
                term,
                UUID.randomUUID().toString(),
                Duration.ofSeconds(10),
                Instant.parse("2026-11-21T09:00:00Z"),
                Instant.parse("2026-11-21T09:01:22.5Z"),
                SavedState.ofText("page 7"),
                1);
    }
}
