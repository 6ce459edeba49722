package dev.doyen.stores.redis;

import dev.doyen.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Determines from a Redis server's settings whether the server can lose terms.
 *
 * <p>Terms are durable if the server syncs each change to its disk before it answers, never evicts keys, is the master,
 * has no replica, and is not in a cluster. If a replica is promoted, the last terms can be lost. If one of these
 * settings is wrong or cannot be read, the store does not promise durable terms.
 */
final class RedisDurability {

    private static final String SCOPE = "one Redis server";

    /** A setting, its required value, and the consequence of another value. */
    private record Setting(String name, String required, String otherwise) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting("appendonly", "yes", "without it a restart loses terms"),
            new Setting("appendfsync", "always", "otherwise a crash of the machine loses up to a second of terms"),
            new Setting(
                    "no-appendfsync-on-rewrite", "no", "otherwise nothing is synchronised while the log is rewritten"),
            new Setting("maxmemory-policy", "noeviction", "otherwise leases may be evicted when memory runs out"));

    private RedisDurability() {}

    /**
     * Returns the promises, with a remark for each setting that is wrong or cannot be read.
     *
     * @param info the lines {@code name:value} of {@code INFO}; empty if the server refused it
     * @param config the answers to {@code CONFIG GET}; a setting is absent if the server refused to return it
     */
    static LeaseStore.Promises of(String info, Map<String, String> config) {
        List<String> doubts = new ArrayList<>();
        for (Setting setting : SETTINGS) {
            String value = config.get(setting.name());
            if (value == null) {
                doubts.add(setting.name()
                        + " cannot be checked, because this user or server has no CONFIG GET; durable terms need \""
                        + setting.required() + "\": allow CONFIG GET, and set the value");
            } else if (!value.equals(setting.required())) {
                doubts.add(setting.name() + " is \"" + value + "\"; " + setting.otherwise() + ": set " + setting.name()
                        + " " + setting.required());
            }
        }
        Map<String, String> lines = new TreeMap<>();
        info.lines().filter(line -> line.contains(":")).forEach(line -> {
            int colon = line.indexOf(':');
            lines.put(line.substring(0, colon), line.substring(colon + 1).strip());
        });
        doubt(doubts, lines, "role", "master", "a lease belongs to a master: name the master's address");
        doubt(
                doubts,
                lines,
                "connected_slaves",
                "0",
                "a promoted replica lacks the writes that it had not received: run the server of the leases"
                        + " without replicas");
        doubt(doubts, lines, "cluster_enabled", "0", "a cluster promotes replicas: use a server outside of it");
        return new LeaseStore.Promises(doubts.isEmpty(), true, SCOPE, doubts);
    }

    private static void doubt(
            List<String> doubts, Map<String, String> lines, String name, String required, String otherwise) {
        String value = lines.get(name);
        if (value == null) {
            doubts.add(name
                    + " cannot be checked, because this user or server has no INFO: allow it; durable terms need \""
                    + required + "\"");
        } else if (!value.toLowerCase(Locale.ROOT).equals(required)) {
            doubts.add(name + " is \"" + value + "\"; " + otherwise);
        }
    }
}
