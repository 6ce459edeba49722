package dev.doyen.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

/** Finds the default candidate name: the name of the pod or of the host. */
final class OwnName {

    private OwnName() {}

    static String find(Map<String, String> environment) {
        String host = environment.getOrDefault("HOSTNAME", "");
        if (!host.isBlank()) {
            return host;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(
                    "the name of this host cannot be found; set HOSTNAME, or call name(...) with the name of this"
                            + " candidate",
                    e);
        }
    }
}
