package dev.doyen.hub.server.settings;

import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.settings.ChannelRule;
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
 * @param keys the keys and their capabilities; empty if the file has none
 * @param rules the channel rules
 * @param limits limits other than the defaults, by name
 * @param nodes how to find other nodes of the same hub
 */
public record HubSettingsFile(List<HubKey> keys, ChannelRules rules, HubLimits limits, NodesEntry nodes) {

    /** The content without a file. */
    public static final HubSettingsFile NONE =
            new HubSettingsFile(List.of(), ChannelRules.NONE, HubLimits.NONE, NodesEntry.NONE);

    private static final long MAX_BYTES = 256 * 1024;
    private static final int MAX_KEYS = 1_000;
    private static final Duration LONGEST = Duration.ofDays(30);

    public HubSettingsFile {
        keys = List.copyOf(keys);
    }

    /**
     * Reads a file.
     *
     * @param environment the variables that replace {@code ${NAME}} in keys
     */
    public static HubSettingsFile read(Path file, Map<String, String> environment) throws SettingsException {
        try {
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw new SettingsException(file + " has " + size + " bytes; at most " + MAX_BYTES + " are read");
            }
            return of(String.valueOf(file.getFileName()), Files.readString(file, StandardCharsets.UTF_8), environment);
        } catch (CharacterCodingException e) {
            throw new SettingsException(file + " is not UTF-8; save it as such");
        } catch (IOException e) {
            throw new SettingsException(
                    file + " cannot be read (" + e.getClass().getSimpleName().replace("Exception", "") + ")");
        }
    }

    static HubSettingsFile of(String name, String text, Map<String, String> environment) throws SettingsException {
        var top = YamlTree.read(name, text).fields(Set.of("keys", "channels", "limits", "nodes"));
        var limits = top.containsKey("limits") ? HubLimits.of(top.get("limits")) : HubLimits.NONE;
        return new HubSettingsFile(
                top.containsKey("keys") ? keys(top.get("keys"), environment) : List.of(),
                top.containsKey("channels") ? rules(top.get("channels")) : ChannelRules.NONE,
                limits,
                top.containsKey("nodes") ? NodesEntry.of(top.get("nodes"), new Secrets(environment)) : NodesEntry.NONE);
    }

    private static List<HubKey> keys(Entry entry, Map<String, String> environment) throws SettingsException {
        var items = entry.list("a list of keys, each with key and, if it may not do everything, capability");
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
        for (Entry item : entry.list("a list of rules, each with channel and what holds there")) {
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
        String pattern = channel.text("a channel's name, or a start of names followed by one *");
        Map<String, Integer> slots = Map.of("leader", 1);
        if (fields.containsKey("slots")) {
            slots = slots(fields.get("slots"));
        }
        Set<String> publishers = Set.of();
        if (fields.containsKey("fenced")) {
            publishers = publishers(fields.get("fenced"));
        }
        var all = slots;
        var fenced = publishers;
        var ttl = duration(fields, "max-claim-ttl", Duration.ofSeconds(1));
        var members = count(fields, "members");
        var history = count(fields, "history");
        var age = duration(fields, "history-age", Duration.ofSeconds(1));
        return entry.checked(() -> new ChannelRule(pattern, all, fenced, ttl, members, history, age));
    }

    private static Map<String, Integer> slots(Entry entry) throws SettingsException {
        var slots = new LinkedHashMap<String, Integer>();
        for (var slot : entry.map("an object of slots and how many may hold each, like {leader: 1, worker: 3}")
                .entrySet()) {
            slots.put(slot.getKey(), slot.getValue().count(1, ChannelRule.MAX_HOLDERS));
        }
        return slots;
    }

    private static Set<String> publishers(Entry entry) throws SettingsException {
        if (!entry.isList()) {
            return entry.bool() ? Set.of("leader") : Set.of();
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
