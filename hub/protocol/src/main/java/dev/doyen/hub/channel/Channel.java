package dev.doyen.hub.channel;

import dev.doyen.hub.auth.AppChannels;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.history.History;
import dev.doyen.hub.history.PresenceLog;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Occupancy;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a channel: its attachments, presence set, history and claims. */
public final class Channel {

    /** The internal name, see {@link AppChannels}. */
    public final String name;

    public final ChannelRule rule;
    public final ChannelSerials serials;
    public final History history;
    public final PresenceLog presenceLog;
    public final ChannelClaims claims;
    public final FormerHolders formerHolders = new FormerHolders();
    public final PresenceStorm storm = new PresenceStorm(this);
    public final Set<Attachment> attachments = new LinkedHashSet<>();
    /** The members in the order in which they entered. Only {@link Channels} changes the map. */
    public final Map<MemberKey, Member> members = new LinkedHashMap<>();

    /** The usage of the client that created the channel. The channel counts toward the quotas of that client. */
    final Usage creator;

    /** The size of all members together, in bytes. */
    long presenceBytes;

    /** The attachments that receive the channel's occupancy. */
    final Set<Attachment> watchers = new LinkedHashSet<>();

    /** The number of proposed changes that this node has not yet read from the log. */
    public int underway;

    /** The time of the last publish on the monotonic clock; null if the hub has published no message yet. */
    @Nullable
    Long publishedNanos;

    Timers.@Nullable Timer sweep;
    long idleSinceNanos;
    /** The bytes of history that {@link Channels} has counted for this channel. */
    long countedBytes;

    Timers.@Nullable Timer occupancyDue;
    /**
     * The occupancy at the last report to the watchers; null before the first report. A report sends no frame to a
     * watcher whose metrics have not changed. The field {@code occupancySentNanos} is the time of the last report.
     */
    @Nullable
    Occupancy occupancySent;

    long occupancySentNanos;

    /** True if attachments or their modes have changed since the last call of {@link #attendanceChanged()}. */
    private boolean attendanceChanged;

    private long presenceMillis;
    private long hubMadeMillis = -1;

    /** The key of a member, which is one client id on one connection. */
    public record MemberKey(String connectionId, String clientId) {}

    Channel(String name, ChannelRule rule, ChannelSerials serials, HubSettings settings, Usage creator) {
        this.name = name;
        this.creator = creator;
        this.rule = rule;
        this.serials = serials;
        this.history = new History(serials, settings, rule);
        this.presenceLog = new PresenceLog(settings, rule);
        this.claims = new ChannelClaims(name, rule);
    }

    /** Returns true if the channel has attachments, members, claims or pending changes. */
    boolean isUsed() {
        return !attachments.isEmpty() || !members.isEmpty() || claims.isBusy() || underway > 0;
    }

    /** Returns true if the channel is used, or if a message was published within this time. */
    boolean isActive(long nowNanos, long recentNanos) {
        return isUsed() || (publishedNanos != null && nowNanos - publishedNanos < recentNanos);
    }

    public void remove(Attachment attachment) {
        attendanceChanged = true;
        attachments.remove(attachment);
        watchers.remove(attachment);
    }

    public void watch(Attachment attachment, @Nullable OccupancyWatch watch) {
        attendanceChanged = true;
        attachment.watch = watch;
        if (watch == null) {
            watchers.remove(attachment);
        } else {
            watchers.add(attachment);
        }
    }

    /** Records that the modes of an attachment have changed. */
    public void modesChanged() {
        attendanceChanged = true;
    }

    /** Returns true if attachments or their modes have changed since the last call. */
    boolean attendanceChanged() {
        boolean changed = attendanceChanged;
        attendanceChanged = false;
        return changed;
    }

    /** Counts the members. One connection can have several members. */
    Occupancy present() {
        return new Occupancy(0, 0, 0, 0, members.size(), 0);
    }

    /** Counts the connections that are attached on this node. */
    public Occupancy attached() {
        var modesByConnection = new HashMap<Connection, Integer>();
        for (Attachment attachment : attachments) {
            modesByConnection.merge(attachment.connection, attachment.modes, (some, others) -> some | others);
        }
        int publishers = 0;
        int subscribers = 0;
        int presenceConnections = 0;
        int presenceSubscribers = 0;
        for (int modes : modesByConnection.values()) {
            publishers += (modes & Flags.PUBLISH) != 0 ? 1 : 0;
            subscribers += (modes & Flags.SUBSCRIBE) != 0 ? 1 : 0;
            presenceConnections += (modes & Flags.PRESENCE) != 0 ? 1 : 0;
            presenceSubscribers += (modes & Flags.PRESENCE_SUBSCRIBE) != 0 ? 1 : 0;
        }
        return new Occupancy(
                modesByConnection.size(), publishers, subscribers, presenceConnections, 0, presenceSubscribers);
    }

    @Nullable
    public Member member(Connection connection, String clientId) {
        return members.get(new MemberKey(connection.id, clientId));
    }

    /**
     * Returns the time of the last presence event. {@link #hubMadeMillis()} returns the time of the last event that the
     * hub made.
     */
    public long presenceMillis() {
        return presenceMillis;
    }

    public long hubMadeMillis() {
        return hubMadeMillis;
    }

    public void presenceTimes(long millis, long ofHubMade) {
        presenceMillis = millis;
        hubMadeMillis = ofHubMade;
    }

    /**
     * Returns the time for a client's presence event. The time is later than the time of every event that the hub made.
     * SDKs order a client's events and the hub's events by time alone, and some SDKs require a strictly later time.
     */
    public long clientEventMillis(long wallMillis) {
        presenceMillis = Math.max(presenceMillis, Math.max(wallMillis, hubMadeMillis + 1));
        return presenceMillis;
    }

    /** Returns the time for an event that the hub makes. The time is later than the time of every earlier event. */
    public long hubEventMillis(long wallMillis) {
        presenceMillis = Math.max(wallMillis, presenceMillis + 1);
        hubMadeMillis = presenceMillis;
        return presenceMillis;
    }

    /**
     * A receiver that gets a frame even if it is not attached. The spelling is the channel name that the receiver uses.
     */
    public record Also(Connection connection, String spelling) {}

    /**
     * Sends a frame to every attachment that has the mode. Attachments with the same spelling of the channel name
     * share one frame.
     *
     * @param except a connection that does not receive the frame; null if there is none
     * @param also a receiver that gets the frame even if it is not attached; null if there is none
     */
    public void deliver(
            StepContext step, int mode, ProtocolMessage frame, @Nullable Connection except, @Nullable Also also) {
        storm.send(step);
        var plain = new ArrayList<Connection>();
        Map<String, List<Connection>> qualified = Map.of();
        boolean reached = also == null;
        for (Attachment attachment : attachments) {
            if (!attachment.has(mode) || attachment.connection == except) {
                continue;
            }
            reached = reached || (also != null && attachment.connection == also.connection());
            if (attachment.spelling.equals(name)) {
                plain.add(attachment.connection);
            } else {
                qualified = qualified.isEmpty() ? new LinkedHashMap<>() : qualified;
                qualified
                        .computeIfAbsent(attachment.spelling, spelling -> new ArrayList<>())
                        .add(attachment.connection);
            }
        }
        if (!reached && also != null) {
            if (also.spelling().equals(name)) {
                plain.add(also.connection());
            } else {
                step.send(also.connection(), frame.withChannel(also.spelling()));
            }
        }
        step.fanOut(plain, frame);
        qualified.forEach((spelling, receivers) -> step.fanOut(receivers, frame.withChannel(spelling)));
    }

    @Override
    public String toString() {
        return "Channel[" + name + "]";
    }
}
