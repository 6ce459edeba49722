package dev.doyen.injector.driver;

import java.net.URI;
import java.nio.file.Path;

/**
 * Where the API server is, and who we are to it.
 *
 * @param authorities a PEM file with what vouches for the server; read once
 * @param token a file with the bearer token; read for each request, because the kubelet replaces it within the hour
 */
public record ClusterAccess(URI server, Path authorities, Path token) {

    /** Where the kubelet puts what a pod needs. */
    public static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    public ClusterAccess {
        if (!"https".equals(server.getScheme()) || server.getHost() == null) {
            throw new IllegalArgumentException("the API server is \"" + server
                    + "\"; give it as https://host:port, or start the injector in a pod, where it is known");
        }
    }
}
