package dev.doyen.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

/** What this process is called where nobody says it: the name of its pod, or of its host. */
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
