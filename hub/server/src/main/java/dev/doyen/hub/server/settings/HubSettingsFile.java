package dev.doyen.hub.server.settings;

import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.TrustedProxies;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.issuers.IssuerSource;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRule.Fencing;
import dev.doyen.hub.settings.ChannelRules;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The content of a hub's settings file.
 *
 * @param keys the keys and their capabilities; empty if the file contains no keys
 * @param rules the channel rules
 * @param limits the limits that the file contains, by name
 * @param quotas the quotas that the file contains
 * @param nodes the settings with which this hub finds other nodes of the same hub
 * @param proxies the proxies in front of the hub that are trusted
 * @param perAddress the limits of one client address on the ports of the hub and the elector
 * @param savedStateAge the time after which the hub deletes saved state that no holder has written again
 * @param issuers the trusted token issuers
 * @param sections all sections except the keys, by name; equal for two files that differ only in their keys
 */
public record HubSettingsFile(
        List<HubKey> keys,
        ChannelRules rules,
        HubLimits limits,
        HubQuotas quotas,
        NodesEntry nodes,
        TrustedProxies proxies,
        AddressLimits perAddress,
        Duration savedStateAge,
        List<IssuerSource> issuers,
        Map<String, Object> sections) {

    /** The content that applies without a settings file. */
    public static final HubSettingsFile NONE = new HubSettingsFile(
            List.of(),
            ChannelRules.NONE,
            HubLimits.NONE,
            HubQuotas.NONE,
            NodesEntry.NONE,
            TrustedProxies.NONE,
            AddressLimits.DEFAULT,
            ClaimSettings.DEFAULT_SAVED_STATE_AGE,
            List.of(),
            Map.of());

    static final String KEYS = "keys";
    static final String CONNECTIONS_PER_ADDRESS = "connections-per-address";
    static final String STREAMS_PER_ADDRESS = "streams-per-address";

    private static final long MAX_BYTES = 256 * 1024;
    private static final int MAX_KEYS = 1_000;
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final Duration MIN_SAVED_STATE_AGE = Duration.ofHours(1);
    private static final Duration MAX_SAVED_STATE_AGE = Duration.ofDays(3650);

    public HubSettingsFile {
        keys = List.copyOf(keys);
        issuers = List.copyOf(issuers);
        sections = Map.copyOf(sections);
    }

    /**
     * Reads a settings file.
     *
     * @param environment the variables that replace {@code ${NAME}} in keys and in the URL of Redis
     * @throws SettingsException if the file cannot be read or is invalid; for a wrong value, the message contains the
     *     position
     */
    public static HubSettingsFile read(Path file, Map<String, String> environment) throws SettingsException {
        return of(String.valueOf(file.getFileName()), text(file), environment);
    }

    /** Reads the text of a settings file. */
    static String text(Path file) throws SettingsException {
        try {
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw new SettingsException(file + " has " + size + " bytes; at most " + MAX_BYTES + " are allowed");
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new SettingsException(file + " is not UTF-8; save it as UTF-8");
        } catch (IOException e) {
            throw new SettingsException(
                    file + " cannot be read (" + e.getClass().getSimpleName().replace("Exception", "") + ")");
        }
    }

    static HubSettingsFile of(String name, String text, Map<String, String> environment) throws SettingsException {
        var top = YamlTree.read(name, text)
                .fields(Set.of(
                        KEYS,
                        "channels",
                        IssuersEntry.SECTION,
                        "limits",
                        "quotas",
                        "http",
                        "nodes",
                        "trusted-proxies",
                        "proxy-protocol",
                        "saved-state-age"));
        var limits = top.containsKey("limits") ? HubLimits.of(top.get("limits")) : HubLimits.NONE;
        return new HubSettingsFile(
                top.containsKey(KEYS) ? keys(top.get(KEYS), environment) : List.of(),
                top.containsKey("channels") ? rules(top.get("channels")) : ChannelRules.NONE,
                limits,
                top.containsKey("quotas") ? HubQuotas.of(top.get("quotas")) : HubQuotas.NONE,
                top.containsKey("nodes") ? NodesEntry.of(top.get("nodes"), new Secrets(environment)) : NodesEntry.NONE,
                proxies(top),
                perAddress(top),
                top.containsKey("saved-state-age")
                        ? top.get("saved-state-age").duration(MIN_SAVED_STATE_AGE, MAX_SAVED_STATE_AGE)
                        : ClaimSettings.DEFAULT_SAVED_STATE_AGE,
                top.containsKey(IssuersEntry.SECTION) ? IssuersEntry.of(top.get(IssuersEntry.SECTION)) : List.of(),
                otherSections(top));
    }

    private static Map<String, Object> otherSections(Map<String, Entry> top) {
        var sections = new LinkedHashMap<String, Object>();
        top.forEach((name, entry) -> {
            if (!name.equals(KEYS)) {
                sections.put(name, entry.withoutPosition());
            }
        });
        return sections;
    }

    private static AddressLimits perAddress(Map<String, Entry> top) throws SettingsException {
        Entry http = top.get("http");
        if (http == null) {
            return AddressLimits.DEFAULT;
        }
        var fields = http.fields(Set.of(CONNECTIONS_PER_ADDRESS, STREAMS_PER_ADDRESS));
        Entry connections = fields.get(CONNECTIONS_PER_ADDRESS);
        Entry streams = fields.get(STREAMS_PER_ADDRESS);
        return new AddressLimits(
                connections == null ? AddressLimits.DEFAULT.connections() : connections.count(1, AddressLimits.MAX),
                streams == null ? AddressLimits.DEFAULT.streams() : streams.count(1, AddressLimits.MAX));
    }

    private static TrustedProxies proxies(Map<String, Entry> top) throws SettingsException {
        var addresses = new ArrayList<String>();
        Entry trusted = top.get("trusted-proxies");
        if (trusted != null) {
            for (Entry item : trusted.list("a list of addresses, such as [127.0.0.1, 10.0.0.0/8]")) {
                addresses.add(item.text("an IP address or network, such as 127.0.0.1 or 10.0.0.0/8"));
            }
        }
        Entry protocol = top.get("proxy-protocol");
        boolean usesProtocol = protocol != null && protocol.bool();
        Entry blamed = trusted == null ? protocol : trusted;
        return blamed == null ? TrustedProxies.NONE : blamed.checked(() -> TrustedProxies.of(addresses, usesProtocol));
    }

    private static List<HubKey> keys(Entry entry, Map<String, String> environment) throws SettingsException {
        var items = entry.list("a list of keys, each with key and, if its rights are limited, capability");
        if (items.isEmpty() || items.size() > MAX_KEYS) {
            throw entry.refusal("has " + items.size() + " keys; give 1 to " + MAX_KEYS + ", or leave keys out");
        }
        var secrets = new Secrets(environment);
        var keys = new ArrayList<HubKey>();
        for (Entry item : items) {
            keys.add(secrets.key(item));
        }
        return keys;
    }

    private static ChannelRules rules(Entry entry) throws SettingsException {
        var rules = new ArrayList<ChannelRule>();
        for (Entry item : entry.list("a list of rules, each with channel and its settings")) {
            rules.add(rule(item));
        }
        return entry.checked(() -> new ChannelRules(rules));
    }

    private static ChannelRule rule(Entry entry) throws SettingsException {
        var fields = entry.fields(
                Set.of("channel", "fenced", "slots", "max-claim-ttl", "members", "history", "history-age"));
        var channel = fields.get("channel");
        if (channel == null) {
            throw entry.refusal("names no channel; begin it with channel: NAME, or channel: \"start*\"");
        }
        String pattern = channel.text("a channel's name, or a prefix followed by one *");
        Map<String, Integer> slots = Map.of("leader", 1);
        if (fields.containsKey("slots")) {
            slots = slots(fields.get("slots"));
        }
        Entry fenced = fields.get("fenced");
        Fencing fencing = fenced != null && fenced.is("holder") ? Fencing.HOLDER : Fencing.TERM;
        Set<String> publishers = fenced == null ? Set.of() : publishers(fenced, fencing);
        var all = slots;
        var ttl = duration(fields, "max-claim-ttl", Duration.ofSeconds(1));
        var members = count(fields, "members");
        var history = count(fields, "history");
        var age = duration(fields, "history-age", Duration.ofSeconds(1));
        return entry.checked(() -> new ChannelRule(pattern, all, publishers, fencing, ttl, members, history, age));
    }

    private static Map<String, Integer> slots(Entry entry) throws SettingsException {
        var slots = new LinkedHashMap<String, Integer>();
        for (var slot : entry.map("an object of slots with the number of holders of each, like {leader: 1, worker: 3}")
                .entrySet()) {
            slots.put(slot.getKey(), slot.getValue().count(1, ChannelRule.MAX_HOLDERS));
        }
        return slots;
    }

    private static Set<String> publishers(Entry entry, Fencing fencing) throws SettingsException {
        if (!entry.isList()) {
            return fencing == Fencing.HOLDER || entry.bool("true, false, holder or a list of slots")
                    ? Set.of("leader")
                    : Set.of();
        }
        var publishers = new LinkedHashSet<String>();
        for (Entry item : entry.list("slots")) {
            publishers.add(item.text("a slot's name"));
        }
        if (publishers.isEmpty()) {
            throw entry.refusal("names no slot; write fenced: true for the leader, or leave it out");
        }
        return publishers;
    }

    private static Optional<Duration> duration(Map<String, Entry> fields, String name, Duration least)
            throws SettingsException {
        var entry = fields.get(name);
        return entry == null ? Optional.empty() : Optional.of(entry.duration(least, LONGEST));
    }

    private static OptionalInt count(Map<String, Entry> fields, String name) throws SettingsException {
        var entry = fields.get(name);
        return entry == null ? OptionalInt.empty() : OptionalInt.of(entry.count(1, 1_000_000));
    }
}
