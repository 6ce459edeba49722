package dev.doyen.injector.driver;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.Cluster;
import dev.doyen.stores.kubernetes.rest.InCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * The address of the API server, and our credentials for it.
 *
 * @param authorities a PEM file with the certificates to trust; read once
 * @param token a file with the bearer token; read again every minute, because the kubelet replaces it within the hour
 * @param namespace our namespace, which contains our election
 */
public record ClusterAccess(URI server, Path authorities, Path token, String namespace) {

    /** The folder where the kubelet puts the credentials of a pod. */
    public static final Path ACCOUNT = InCluster.ACCOUNT;

    public ClusterAccess {
        if (!"https".equals(server.getScheme()) || server.getHost() == null) {
            throw new IllegalArgumentException("the API server is \"" + server
                    + "\"; give it as https://host:port, or start the injector in a pod, where it is known");
        }
    }

    Cluster cluster() throws IOException {
        try {
            return Cluster.byToken(server, authorities, token, namespace);
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage() + "; name what is to be used by --server-ca-file", e);
        }
    }
}
