package dev.doyen.hub.server.settings;

import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.nodes.NodeSettings;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The effective settings of a hub, from the settings file, the command line and the environment. */
public record HubPlan(List<HubKey> keys, HubSettings settings, Optional<NodeSettings> nodes) {

    public HubPlan {
        keys = List.copyOf(keys);
    }

    /**
     * Combines the settings.
     *
     * @param more keys from other sources than the file
     * @param claimTtl the ttl of the leases behind claims
     * @param nodes the URL of the nodes' Redis from another source than the file, if any
     * @throws SettingsException if the settings contradict each other
     */
    public static HubPlan of(HubSettingsFile file, List<HubKey> more, Duration claimTtl, Optional<String> nodes)
            throws SettingsException {
        var keys = new ArrayList<>(more);
        keys.addAll(file.keys());
        try {
            if (!keys.isEmpty()) {
                HubKeys.ofKeys(keys);
            }
            var builder = HubSettings.builder().maxClaimTtl(claimTtl).channelRules(file.rules());
            file.limits().applyTo(builder);
            HubSettings settings = builder.build();
            return new HubPlan(keys, settings, file.nodes().settings(nodes, settings));
        } catch (IllegalArgumentException e) {
            throw new SettingsException("the settings do not fit together: " + e.getMessage());
        }
    }

    /** All effective settings in the format of a settings file, without secrets. */
    public String text() {
        var text = new StringBuilder("keys:\n");
        for (HubKey key : keys) {
            text.append("  - key: ").append(key.name()).append(":...\n");
            text.append("    capability: ").append(key.capability().text()).append("\n");
        }
        text.append(settings.channelRules().list().isEmpty() ? "channels: []\n" : "channels:\n");
        for (ChannelRule rule : settings.channelRules().list()) {
            rule(text, rule);
        }
        text.append("limits:\n");
        HubLimits.shown(settings)
                .forEach((name, value) -> text.append("  ")
                        .append(name)
                        .append(": ")
                        .append(value)
                        .append("\n"));
        nodes.ifPresent(shared -> nodes(text, shared));
        return text.toString();
    }

    private static void nodes(StringBuilder text, NodeSettings nodes) {
        text.append("nodes:\n")
                .append("  redis: \"")
                .append(nodes.shownUrl())
                .append("\"\n  name: ")
                .append(nodes.name())
                .append("\n  ttl: ")
                .append(Entry.spelled(nodes.ttl()))
                .append("\n  log-entries: ")
                .append(nodes.logEntries())
                .append("\n");
    }

    private static void rule(StringBuilder text, ChannelRule rule) {
        text.append("  - channel: \"")
                .append(rule.pattern().replace("\\", "\\\\").replace("\"", "\\\""))
                .append("\"\n");
        var slots = new ArrayList<String>();
        rule.slots().forEach((name, count) -> slots.add(name + ": " + count));
        line(text, "slots", "{" + String.join(", ", slots) + "}");
        if (!rule.publishers().isEmpty()) {
            line(text, "fenced", "[" + String.join(", ", rule.publishers()) + "]");
        }
        rule.maxClaimTtl().ifPresent(ttl -> line(text, "max-claim-ttl", Entry.spelled(ttl)));
        rule.maxMembers().ifPresent(members -> line(text, "members", Integer.toString(members)));
        rule.historyCount().ifPresent(count -> line(text, "history", Integer.toString(count)));
        rule.historyAge().ifPresent(age -> line(text, "history-age", Entry.spelled(age)));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("    ").append(name).append(": ").append(value).append("\n");
    }
}
