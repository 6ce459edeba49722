package dev.doyen.stores.kubernetes.rest;

import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The settings with which a Pod reaches the API server.
 *
 * <p>Kubernetes provides every Pod with two environment variables and three files of its service account ("Accessing
 * the API from a Pod").
 *
 * @param account the directory with {@code token}, {@code ca.crt} and {@code namespace}
 */
public record InCluster(Map<String, String> environment, Path account) {

    public static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /** Returns true if this process runs in a Pod with a readable service token. */
    public boolean isHere() {
        return environment.containsKey("KUBERNETES_SERVICE_HOST") && Files.isReadable(account.resolve("token"));
    }

    /**
     * Returns the API server and the account of this Pod.
     *
     * @param namespace the namespace; empty for the namespace of this Pod
     * @throws StoreUnavailableException if the certificate authority or the namespace of this Pod cannot be read
     */
    public Cluster cluster(Optional<String> namespace) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        return Cluster.byToken(
                URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port),
                account.resolve("ca.crt"),
                account.resolve("token"),
                namespace.orElseGet(this::ownNamespace));
    }

    private String ownNamespace() {
        String named = environment.getOrDefault("POD_NAMESPACE", "");
        if (!named.isEmpty()) {
            return named;
        }
        try {
            return Files.readString(account.resolve("namespace")).strip();
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "kubernetes: the namespace of this Pod cannot be read from " + account.resolve("namespace")
                            + "; set POD_NAMESPACE, or write kubernetes:NAMESPACE",
                    e);
        }
    }
}
