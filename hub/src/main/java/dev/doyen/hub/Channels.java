package dev.doyen.hub;

import dev.doyen.hub.nodes.LogPosition;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Occupancy;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The channels there are. A channel comes with the first frame that names it. It goes when nobody is attached or present,
 * its history is empty, and so long has passed that no client can come back and prove it missed nothing.
 */
final class Channels {

    private final HubSettings settings;
    private final Timers timers;
    private final OccupancyNews occupancy;
    private final Map<String, Channel> byName = new LinkedHashMap<>();
    /** Those that nobody uses, longest unused first: the first to go when there is no room. */
    private final Set<Channel> idle = new LinkedHashSet<>();

    /** Null if the hub is by itself. */
    private @Nullable Census census;

    private long historyBytes;
    private long created;
    private String epoch = "";
    /** How far this node has read in the log of all; null if the hub is by itself. */
    private @Nullable LogPosition read;

    Channels(HubSettings settings, Timers timers) {
        this.settings = settings;
        this.timers = timers;
        this.occupancy = new OccupancyNews(timers, channel -> occupancy(channel.name));
    }

    /** There are other nodes, whose connections count as well. */
    void countedBy(Census others) {
        census = others;
    }

    /** How many use a channel: the connections of all nodes, and the members, which every node knows. */
    Occupancy occupancy(String name) {
        Occupancy elsewhere = census == null ? Occupancy.NOBODY : census.elsewhere(name);
        Channel channel = byName.get(name);
        return channel == null
                ? elsewhere
                : channel.attached().plus(channel.present()).plus(elsewhere);
    }

    /** Whether anybody uses it, at whichever node. */
    boolean isUsed(String name) {
        Channel channel = byName.get(name);
        return (channel != null && channel.isUsed())
                || (census != null && census.usedElsewhere().contains(name));
    }

    OccupancyNews occupancy() {
        return occupancy;
    }

    /** Tells this life of the hub from others, so that serials of a former one are not taken for its own. */
    void begin(String newEpoch) {
        if (epoch.isEmpty()) {
            epoch = newEpoch;
        }
    }

    @Nullable
    Channel find(String name) {
        return byName.get(name);
    }

    /** The channel, made if need be. {@link #settle} is owed once the caller is done with it. */
    Channel open(Turn turn, String name) throws Refusal {
        Channel known = byName.get(name);
        if (known != null) {
            return known;
        }
        if (byName.size() >= settings.maxChannels() && !idle.isEmpty()) {
            remove(idle.iterator().next());
        }
        if (byName.size() >= settings.maxChannels()) {
            throw new Refusal(
                    ErrorCode.UNAVAILABLE,
                    "the hub has " + byName.size() + " channels in use, its limit; try again later");
        }
        return make(turn, name);
    }

    /** The channel, for what happens whether there is room or not: all nodes must come to the same. */
    Channel ensure(Turn turn, String name) {
        Channel known = byName.get(name);
        if (known == null && byName.size() >= settings.maxChannels() && !idle.isEmpty()) {
            remove(idle.iterator().next());
        }
        return known == null ? make(turn, name) : known;
    }

    private Channel make(Turn turn, String name) {
        var serials = read == null
                ? new ChannelSerials(epoch + "-" + Long.toString(created++, Character.MAX_RADIX), turn.wallMillis())
                : new ChannelSerials(epoch, read, () -> read);
        var channel = new Channel(name, settings.channelRules().of(name), serials, settings);
        byName.put(name, channel);
        return channel;
    }

    /** Begins anew, in a log of all nodes. */
    void join(String series, LogPosition position) {
        for (Channel channel : List.copyOf(byName.values())) {
            remove(channel);
        }
        epoch = series;
        read = position;
    }

    /** The log was read so far. */
    void read(LogPosition position) {
        read = position;
    }

    /** The serial of what stands there in the log. */
    String serialAt(LogPosition position) {
        return new ChannelSerials(epoch, position, () -> position).last();
    }

    Collection<Channel> all() {
        return byName.values();
    }

    /** Notes whether the channel is still used, after something changed. */
    void settle(Turn turn, Channel channel) {
        if (byName.get(channel.name) != channel) {
            return;
        }
        occupancy.changed(turn, channel);
        if (census != null && channel.attendanceChanged()) {
            census.changed(turn, channel);
        }
        if (channel.isUsed()) {
            idle.remove(channel);
        } else if (idle.add(channel)) {
            channel.idleSinceNanos = turn.nanos();
        }
        arm(channel);
    }

    /** Adds a published frame to the channel's history, and makes room for it. */
    void record(Turn turn, Channel channel, ProtocolMessage frame, String serial, String before, int size) {
        channel.history.add(frame, serial, before, size, turn.sinceNanos());
        makeRoom(turn, channel);
    }

    /** Adds what happened to members to the channel's past, and makes room for it. */
    void recordPresence(Turn turn, Channel channel, String serial, List<PresenceMessage> events) {
        channel.presenceLog.add(serial, events, turn.sinceNanos());
        makeRoom(turn, channel);
    }

    /** The names of the channels that somebody uses, at whichever node. */
    Set<String> usedNames() {
        var names = new LinkedHashSet<String>(census == null ? List.of() : census.usedElsewhere());
        for (Channel channel : byName.values()) {
            if (channel.isUsed()) {
                names.add(channel.name);
            }
        }
        return names;
    }

    /** Forgets the past of every channel. */
    void forgetPast() {
        for (Channel channel : byName.values()) {
            channel.history.clear();
            channel.presenceLog.clear();
            count(channel);
            arm(channel);
        }
    }

    private void makeRoom(Turn turn, Channel channel) {
        prune(turn, channel);
        while (historyBytes > settings.historyBytesInAll() && !idle.isEmpty()) {
            remove(idle.iterator().next());
        }
        // Without messages a client that comes back would be told that it may have missed some.
        if (historyBytes > settings.historyBytesInAll()) {
            channel.presenceLog.clear();
            count(channel);
        }
        if (historyBytes > settings.historyBytesInAll()) {
            channel.history.clear();
            count(channel);
        }
        arm(channel);
    }

    private void prune(Turn turn, Channel channel) {
        channel.history.prune(turn.nanos());
        channel.presenceLog.prune(turn.nanos());
        count(channel);
    }

    private void count(Channel channel) {
        if (byName.get(channel.name) == channel) {
            long bytes = channel.history.bytes() + channel.presenceLog.bytes();
            historyBytes += bytes - channel.countedBytes;
            channel.countedBytes = bytes;
        }
    }

    List<ChannelView> views() {
        var views = new ArrayList<ChannelView>(byName.size());
        for (Channel channel : byName.values()) {
            views.add(new ChannelView(
                    channel.name,
                    channel.attachments.size(),
                    channel.members.size(),
                    channel.claims.slots(),
                    channel.claims.holders()));
        }
        return views;
    }

    List<MemberView> members(String name, int limit) {
        Channel channel = byName.get(name);
        if (channel == null) {
            return List.of();
        }
        return channel.members.values().stream()
                .limit(limit)
                .map(member -> new MemberView(
                        member.clientId,
                        member.connection.id,
                        channel.claims.heldBy(member.connection, member.clientId) != null))
                .toList();
    }

    private void sweep(Turn turn, Channel channel) {
        channel.sweep = null;
        prune(turn, channel);
        boolean empty = channel.history.isEmpty() && channel.presenceLog.isEmpty();
        if (empty && idle.contains(channel) && turn.nanos() - channel.idleSinceNanos >= keptIdleNanos()) {
            remove(channel);
        } else {
            arm(channel);
        }
    }

    /** One timer per channel, set for the first thing it may be swept for. */
    private void arm(Channel channel) {
        OptionalLong due = sooner(channel.history.pruneNanos(), channel.presenceLog.pruneNanos());
        if (due.isEmpty() && idle.contains(channel)) {
            due = OptionalLong.of(channel.idleSinceNanos + keptIdleNanos());
        }
        if (due.isEmpty() || byName.get(channel.name) != channel) {
            return;
        }
        // A second message makes the one before it no longer the last, and so due sooner.
        if (channel.sweep != null && channel.sweep.dueNanos() - due.getAsLong() <= 0) {
            return;
        }
        if (channel.sweep != null) {
            timers.cancel(channel.sweep);
        }
        channel.sweep = timers.set(due.getAsLong(), turn -> sweep(turn, channel));
    }

    private void remove(Channel channel) {
        byName.remove(channel.name);
        idle.remove(channel);
        historyBytes -= channel.countedBytes;
        channel.countedBytes = 0;
        if (channel.sweep != null) {
            timers.cancel(channel.sweep);
            channel.sweep = null;
        }
    }

    private static OptionalLong sooner(OptionalLong some, OptionalLong other) {
        if (some.isEmpty() || other.isEmpty()) {
            return some.isEmpty() ? other : some;
        }
        return some.getAsLong() - other.getAsLong() <= 0 ? some : other;
    }

    private long keptIdleNanos() {
        return settings.connectionStateTtl().toNanos();
    }
}
