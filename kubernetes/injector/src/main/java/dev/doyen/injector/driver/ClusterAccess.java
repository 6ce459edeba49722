package dev.doyen.injector.driver;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.Cluster;
import dev.doyen.stores.kubernetes.rest.InCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * The address of the API server, and the injector's credentials for the API server.
 *
 * @param authorities a PEM file with the trusted certificates, which the injector reads once
 * @param token a file with the bearer token. The injector reads the file every minute, because the kubelet replaces the
 *     file within an hour
 * @param namespace the namespace of the injector, which contains the election of its replicas
 */
public record ClusterAccess(URI server, Path authorities, Path token, String namespace) {

    /** The folder in which the kubelet stores the credentials of a pod. */
    public static final Path ACCOUNT = InCluster.ACCOUNT;

    public ClusterAccess {
        if (!"https".equals(server.getScheme()) || server.getHost() == null) {
            throw new IllegalArgumentException("the API server is \"" + server
                    + "\"; give it as https://host:port, or start the injector in a pod, which has its address");
        }
    }

    Cluster cluster() throws IOException {
        try {
            return Cluster.byToken(server, authorities, token, namespace);
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage() + "; name the certificate authority with --server-ca-file", e);
        }
    }
}
