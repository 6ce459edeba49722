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
                    "this host does not know its own name; set HOSTNAME, or call name(...) with the one it stands under",
                    e);
        }
    }
}
