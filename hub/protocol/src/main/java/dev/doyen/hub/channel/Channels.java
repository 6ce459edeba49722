package dev.doyen.hub.channel;

import dev.doyen.hub.auth.AppChannels;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.quota.Resource;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Occupancy;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates, finds and removes channels.
 *
 * <p>The first attachment, publish or PRESENCE frame of a channel creates the channel. A channel is unused if it has no
 * attachments, members, claims or pending changes. The hub removes a channel whose history is empty after the channel
 * has been unused for {@link HubSettings#connectionStateTtl}. Until the channel is removed, a client that resumes can
 * prove by its serial that it missed no message.
 *
 * <p>The class is longer than most classes, because it enforces the limits that all channels share.
 */
public final class Channels {

    private final HubSettings settings;
    private final Timers timers;
    private final OccupancySender occupancy;
    private final Map<String, Channel> byName = new LinkedHashMap<>();
    /** The maximum number of members of a channel, by the sandbox app of the channel. */
    private final Map<String, Integer> maxMembersByApp = new HashMap<>();
    /**
     * The unused channels. The first channel of the set has been unused for the longest time. If the hub reaches the
     * maximum number of channels or the memory limit of all histories, it removes the first channel.
     */
    private final Set<Channel> idle = new LinkedHashSet<>();

    /** The occupancy on the other nodes; null on a single hub. */
    private @Nullable RemoteOccupancy remote;

    private long historyBytes;
    private long presenceBytes;
    private int members;
    /** The number of members that have entered until now, on all channels. */
    private long entered;

    private long created;
    private String epoch = "";
    /** The position up to which this node has read the log; null without a log. */
    private @Nullable LogPosition read;

    public Channels(HubSettings settings, Timers timers) {
        this.settings = settings;
        this.timers = timers;
        this.occupancy = new OccupancySender(timers, channel -> occupancy(channel.name));
    }

    /** Includes the counts of the other nodes in the results of {@link #occupancy}. */
    public void countedBy(RemoteOccupancy others) {
        remote = others;
    }

    /**
     * Returns the occupancy of a channel on all nodes. The member count comes from this node, because every node stores
     * all members.
     */
    public Occupancy occupancy(String name) {
        Occupancy elsewhere = remote == null ? Occupancy.NOBODY : remote.elsewhere(name);
        Channel channel = byName.get(name);
        return channel == null
                ? elsewhere
                : channel.attached().plus(channel.present()).plus(elsewhere);
    }

    /**
     * Returns true if the channel is active. A channel is active if it is used on any node, and after a publish for
     * {@link HubSettings#connectionStateTtl}.
     */
    public boolean isActive(String name, long nowNanos) {
        Channel channel = byName.get(name);
        return (channel != null && channel.isActive(nowNanos, keptIdleNanos()))
                || (remote != null && remote.usedElsewhere().contains(name));
    }

    public OccupancySender occupancy() {
        return occupancy;
    }

    /**
     * Sets the epoch, which distinguishes serials of this hub from serials of an earlier process. Only the first call
     * has an effect.
     */
    public void begin(String newEpoch) {
        if (epoch.isEmpty()) {
            epoch = newEpoch;
        }
    }

    @Nullable
    public Channel find(String name) {
        return byName.get(name);
    }

    /**
     * Returns the channel and creates it if needed. The caller must call {@link #settle} after it has used the channel.
     *
     * <p>Throws a {@link Refusal} if the hub has too many channels, or if the client has created too many. Until the
     * hub removes a channel, the channel counts toward the quotas of the client that created it.
     */
    public Channel open(StepContext step, String name, Usage usage) throws Refusal {
        Channel known = byName.get(name);
        if (known != null) {
            return known;
        }
        makeRoomFor(usage);
        usage.check(Resource.CHANNELS, 1);
        if (byName.size() >= settings.maxChannels() && !idle.isEmpty()) {
            remove(idle.iterator().next());
        }
        if (byName.size() >= settings.maxChannels()) {
            throw new Refusal(
                    ErrorCode.UNAVAILABLE,
                    "the hub has " + byName.size() + " channels in use, its limit; try again later");
        }
        return make(step, name, usage);
    }

    /**
     * Makes room within the quotas of a client. If a quota is exhausted, the method removes one unused channel that
     * counts toward that quota.
     */
    private void makeRoomFor(Usage usage) {
        for (Channel channel : idle) {
            if (usage.isExhaustedTogetherWith(channel.creator, Resource.CHANNELS)) {
                remove(channel);
                return;
            }
        }
    }

    /**
     * Returns the channel and creates it if needed, even above the maximum number of channels. The maximum does not
     * apply here, because all nodes must apply the same log entries.
     */
    public Channel ensure(StepContext step, String name) {
        Channel known = byName.get(name);
        if (known == null && byName.size() >= settings.maxChannels() && !idle.isEmpty()) {
            remove(idle.iterator().next());
        }
        return known == null ? make(step, name, Usage.UNCOUNTED) : known;
    }

    private Channel make(StepContext step, String name, Usage creator) {
        var serials = read == null
                ? new ChannelSerials(epoch + "-" + Long.toString(created++, Character.MAX_RADIX), step.wallMillis())
                : new ChannelSerials(epoch, read, () -> read);
        var channel = new Channel(name, rule(name), serials, settings, creator);
        byName.put(name, channel);
        creator.add(Resource.CHANNELS, 1);
        return channel;
    }

    private ChannelRule rule(String name) {
        ChannelRule rule = settings.channelRules().of(name);
        Integer most = maxMembersByApp.get(AppChannels.appOf(name));
        return most == null ? rule : rule.withMaxMembers(most);
    }

    /** Removes all channels, and continues at this position of the shared log. */
    public void join(String series, LogPosition position) {
        for (Channel channel : List.copyOf(byName.values())) {
            remove(channel);
        }
        epoch = series;
        read = position;
    }

    /** Records the position up to which this node has read the log. */
    public void read(LogPosition position) {
        read = position;
    }

    /** Returns the serial of a log position. */
    public String serialAt(LogPosition position) {
        return new ChannelSerials(epoch, position, () -> position).last();
    }

    public Collection<Channel> all() {
        return byName.values();
    }

    /** Updates the channel's idle state, timers and counts after a change. */
    public void settle(StepContext step, Channel channel) {
        if (byName.get(channel.name) != channel) {
            return;
        }
        occupancy.changed(step, channel);
        if (remote != null && channel.attendanceChanged()) {
            remote.changed(step, channel);
        }
        if (channel.isUsed()) {
            idle.remove(channel);
        } else if (idle.add(channel)) {
            channel.idleSinceNanos = step.nanos();
        }
        arm(channel);
    }

    /** Adds a published frame to the channel's history and enforces the memory limit. */
    public void record(
            StepContext step, Channel channel, ProtocolMessage frame, String serial, String before, int size) {
        channel.history.add(frame, serial, before, size, step.sinceNanos());
        channel.publishedNanos = step.nanos();
        makeRoom(step, channel);
    }

    /** Adds presence events to the channel's history and enforces the memory limit. */
    public void recordPresence(StepContext step, Channel channel, String serial, List<PresenceMessage> events) {
        channel.presenceLog.add(serial, events, step.sinceNanos());
        makeRoom(step, channel);
    }

    /** Adds a member to its channel and its connection. */
    public void enter(Member member) {
        member.number(++entered);
        members += member.channel.members.put(member.key(), member) == null ? 1 : 0;
        member.connection.members.add(member);
        countPresence(member, member.bytes());
    }

    /** Returns the number of the member that entered last, on any channel. */
    public long lastEntered() {
        return entered;
    }

    /** Removes a member from its channel and its connection. */
    public void leave(Member member) {
        if (member.channel.members.remove(member.key(), member)) {
            members -= byName.get(member.channel.name) == member.channel ? 1 : 0;
            member.connection.members.remove(member);
            countPresence(member, -member.bytes());
        }
    }

    /** Replaces the last event of a member. */
    public void update(Member member, PresenceMessage event) {
        long before = member.bytes();
        member.become(event);
        countPresence(member, member.bytes() - before);
    }

    /** Returns the number of members of all channels. */
    public int memberCount() {
        return members;
    }

    private void countPresence(Member member, long bytes) {
        presenceBytes += bytes;
        member.channel.presenceBytes += bytes;
        member.connection.usage.add(Resource.PRESENCE_BYTES, bytes);
    }

    /** Returns the size of all members of all channels, in bytes. */
    public long presenceBytes() {
        return presenceBytes;
    }

    /** Returns the names of the channels that are active, see {@link #isActive}. */
    public Set<String> activeNames(long nowNanos) {
        var names = new LinkedHashSet<String>(remote == null ? List.of() : remote.usedElsewhere());
        for (Channel channel : byName.values()) {
            if (channel.isActive(nowNanos, keptIdleNanos())) {
                names.add(channel.name);
            }
        }
        return names;
    }

    /** Sets the maximum number of members of each channel of a sandbox app. */
    public void limitMembers(String app, int most) {
        maxMembersByApp.put(app, most);
    }

    /** Removes a sandbox app: clears the history of its channels, and removes the limit of {@link #limitMembers}. */
    public void removeApp(String app) {
        maxMembersByApp.remove(app);
        for (Channel channel : byName.values()) {
            if (AppChannels.appOf(channel.name).equals(app)) {
                channel.history.clear();
                channel.presenceLog.clear();
                channel.publishedNanos = null;
                count(channel);
                arm(channel);
            }
        }
    }

    private void makeRoom(StepContext step, Channel channel) {
        prune(step, channel);
        while (historyBytes > settings.historyBytesInAll() && !idle.isEmpty()) {
            remove(idle.iterator().next());
        }
        // Drop presence history first. If the hub drops message history, it must report a possible gap to clients that
        // resume.
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

    private void prune(StepContext step, Channel channel) {
        channel.history.prune(step.nanos());
        channel.presenceLog.prune(step.nanos());
        count(channel);
    }

    private void count(Channel channel) {
        if (byName.get(channel.name) == channel) {
            long bytes = channel.history.bytes() + channel.presenceLog.bytes();
            historyBytes += bytes - channel.countedBytes;
            channel.countedBytes = bytes;
        }
    }

    public List<ChannelView> views() {
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

    public List<MemberView> members(String name, int limit) {
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

    private void sweep(StepContext step, Channel channel) {
        channel.sweep = null;
        prune(step, channel);
        boolean empty = channel.history.isEmpty() && channel.presenceLog.isEmpty();
        if (empty && idle.contains(channel) && step.nanos() - channel.idleSinceNanos >= keptIdleNanos()) {
            remove(channel);
        } else {
            arm(channel);
        }
    }

    /** Sets the channel's timer to the time of the next expiry. */
    private void arm(Channel channel) {
        OptionalLong due = sooner(channel.history.pruneNanos(), channel.presenceLog.pruneNanos());
        if (due.isEmpty() && idle.contains(channel)) {
            due = OptionalLong.of(channel.idleSinceNanos + keptIdleNanos());
        }
        if (due.isEmpty() || byName.get(channel.name) != channel) {
            return;
        }
        // Replace a later timer. A second message makes the first message expire earlier, because only the last message
        // has the longer age limit.
        if (channel.sweep != null && channel.sweep.dueNanos() - due.getAsLong() <= 0) {
            return;
        }
        if (channel.sweep != null) {
            timers.cancel(channel.sweep);
        }
        channel.sweep = timers.set(due.getAsLong(), step -> sweep(step, channel));
    }

    private void remove(Channel channel) {
        byName.remove(channel.name);
        members -= channel.members.size();
        idle.remove(channel);
        channel.creator.add(Resource.CHANNELS, -1);
        historyBytes -= channel.countedBytes;
        channel.countedBytes = 0;
        presenceBytes -= channel.presenceBytes;
        channel.presenceBytes = 0;
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
