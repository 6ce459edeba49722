package dev.doyen.hub.server.settings;

import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.TrustedProxies;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.issuers.IssuerSource;
import dev.doyen.hub.server.nodes.NodeSettings;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The effective settings of a hub. They combine the settings file, the command line and the environment.
 *
 * @param perAddress the limits of one client address on the ports of the hub and the elector
 * @param savedStateAge the time after which the hub deletes saved state that no holder has written again
 * @param issuers the trusted token issuers
 * @param sections the sections of the settings file that only a restart applies, by name
 */
public record HubPlan(
        List<HubKey> keys,
        HubSettings settings,
        Optional<NodeSettings> nodes,
        TrustedProxies proxies,
        AddressLimits perAddress,
        Duration savedStateAge,
        List<IssuerSource> issuers,
        Map<String, Object> sections) {

    public HubPlan {
        keys = List.copyOf(keys);
        issuers = List.copyOf(issuers);
        sections = Map.copyOf(sections);
    }

    /**
     * Combines the settings.
     *
     * @param more the keys from sources other than the file
     * @param claimTtl the longest ttl of a claim; a channel rule in the file can set a shorter one
     * @param nodes the URL of the nodes' Redis from a source other than the file; empty if there is none
     * @throws SettingsException if a value is invalid, or if the settings contradict each other
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
            file.quotas().applyTo(builder);
            HubSettings settings = builder.build();
            return new HubPlan(
                    keys,
                    settings,
                    file.nodes().settings(nodes, settings),
                    file.proxies(),
                    file.perAddress(),
                    file.savedStateAge(),
                    file.issuers(),
                    file.sections());
        } catch (IllegalArgumentException e) {
            throw new SettingsException("the settings do not fit together: " + e.getMessage());
        }
    }

    /**
     * Returns the ttl of the leases that grant the claims.
     *
     * <p>On a hub of several nodes, the ttl is one and a half times the longest ttl of a claim. If a node crashes, a
     * leader continues for 0.8 of its ttl after the node's last answer. Another node waits for the ttl of the lease
     * after the last renewal. This renewal can be earlier than the crashed node's last answer. A single hub does not
     * need the additional half, because the hub starts to wait only after its restart.
     *
     * @param claimTtl the longest ttl of a claim
     */
    public Duration leaseTtl(Duration claimTtl) {
        return nodes.isPresent() ? claimTtl.multipliedBy(3).dividedBy(2) : claimTtl;
    }

    /** Returns the names of the sections that differ from those of another plan, sorted. */
    Set<String> changedSections(HubPlan former) {
        var names = new TreeSet<>(sections.keySet());
        names.addAll(former.sections.keySet());
        names.removeIf(name -> Objects.equals(sections.get(name), former.sections.get(name)));
        return names;
    }

    /** Returns all effective settings in the format of a settings file, without secrets. */
    public String text() {
        var text = new StringBuilder("keys:\n");
        for (HubKey key : keys) {
            text.append("  - key: ").append(key.name()).append(":...\n");
            text.append("    capability: ").append(key.capability().text()).append("\n");
        }
        IssuersEntry.show(issuers, text);
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
        text.append("quotas:\n");
        HubQuotas.shown(settings).forEach((owner, quota) -> {
            var limits = new ArrayList<String>();
            quota.forEach((name, value) -> limits.add(name + ": " + value));
            text.append("  ")
                    .append(owner)
                    .append(": {")
                    .append(String.join(", ", limits))
                    .append("}\n");
        });
        text.append("http:\n  ")
                .append(HubSettingsFile.CONNECTIONS_PER_ADDRESS)
                .append(": ")
                .append(perAddress.connections())
                .append("\n  ")
                .append(HubSettingsFile.STREAMS_PER_ADDRESS)
                .append(": ")
                .append(perAddress.streams())
                .append("\n");
        nodes.ifPresent(shared -> nodes(text, shared));
        text.append("trusted-proxies: [")
                .append(String.join(
                        ", ",
                        proxies.addresses().stream()
                                .map(address -> "\"" + address + "\"")
                                .toList()))
                .append("]\n");
        text.append("proxy-protocol: ").append(proxies.usesProxyProtocol()).append("\n");
        text.append("saved-state-age: ").append(Entry.spelled(savedStateAge)).append("\n");
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
        if (rule.isFencedByHolder()) {
            line(text, "fenced", "holder");
        } else if (rule.isFenced()) {
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
