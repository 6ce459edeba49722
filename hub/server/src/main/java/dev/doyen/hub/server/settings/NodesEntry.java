package dev.doyen.hub.server.settings;

import dev.doyen.hub.server.nodes.NodeSettings;
import dev.doyen.hub.settings.HubSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The section of the settings file about the other nodes.
 *
 * @param redis the URL of the nodes' Redis; null if the file contains none
 */
record NodesEntry(@Nullable String redis, String name, Duration ttl, int logEntries) {

    static final NodesEntry NONE = new NodesEntry(null, "doyen", Duration.ofSeconds(10), 100_000);

    static NodesEntry of(Entry entry, Secrets secrets) throws SettingsException {
        var fields = entry.fields(Set.of("redis", "name", "ttl", "log-entries"));
        var redis = fields.get("redis");
        var name = fields.get("name");
        var ttl = fields.get("ttl");
        var logEntries = fields.get("log-entries");
        if (redis == null) {
            throw entry.refusal("has no address of Redis; write redis: redis://host:port");
        }
        return new NodesEntry(
                secrets.text(redis, "a URL like redis://host:port"),
                name == null ? NONE.name : name.text("the hub's name, the same on all its nodes"),
                ttl == null ? NONE.ttl : ttl.duration(NodeSettings.MIN_TTL, NodeSettings.MAX_TTL),
                logEntries == null
                        ? NONE.logEntries
                        : logEntries.count(NodeSettings.MIN_LOG_ENTRIES, NodeSettings.MAX_LOG_ENTRIES));
    }

    /** Returns the settings of this node. The result is empty for a single hub. */
    Optional<NodeSettings> settings(Optional<String> elsewhere, HubSettings hub) {
        String url = elsewhere.orElse(redis);
        return url == null
                ? Optional.empty()
                : Optional.of(new NodeSettings(
                        url, name, ttl, logEntries, hub.storedAcksPerConnection(), hub.connectionStateTtl()));
    }
}
