package dev.doyen.stores.kubernetes;

import java.net.URI;
import javax.net.ssl.SSLContext;

/**
 * An API server, who vouches for it, who one is to it, and the namespace one works in.
 *
 * @param server such as {@code https://10.0.0.1:443}, without a slash at its end
 */
record Cluster(URI server, SSLContext tls, BearerToken token, String namespace) {

    /** For messages. */
    String place() {
        return "the Kubernetes API server at " + server.getAuthority();
    }
}
