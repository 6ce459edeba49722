package dev.doyen.hub.channel;

import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.history.History;
import dev.doyen.hub.history.PresenceLog;
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

/** State of a channel: attachments, presence set, history and claims. */
public final class Channel {

    public final String name;
    public final ChannelRule rule;
    public final ChannelSerials serials;
    public final History history;
    public final PresenceLog presenceLog;
    public final ChannelClaims claims;
    public final PresenceStorm storm = new PresenceStorm(this);
    public final Set<Attachment> attachments = new LinkedHashSet<>();
    public final Map<MemberKey, Member> members = new LinkedHashMap<>();

    /** Attachments that receive the channel's occupancy. */
    final Set<Attachment> watchers = new LinkedHashSet<>();

    /** Number of this node's changes that are proposed and not yet read from the log. */
    public int underway;

    Timers.@Nullable Timer sweep;
    long idleSinceNanos;
    /** Bytes of history that {@link Channels} has counted for this channel. */
    long countedBytes;

    Timers.@Nullable Timer occupancyDue;
    /**
     * The occupancy that was last sent to all watchers; null if none was sent. {@code occupancyToldNanos} is the time
     * of that.
     */
    @Nullable
    Occupancy occupancyTold;

    long occupancyToldNanos;

    /** Whether attachments or their modes have changed since the last call of {@link #attendanceChanged()}. */
    private boolean attendanceChanged;

    private long presenceMillis;
    private long hubMadeMillis = -1;

    /** Key of a member: one client id on one connection. */
    public record MemberKey(String connectionId, String clientId) {}

    Channel(String name, ChannelRule rule, ChannelSerials serials, HubSettings settings) {
        this.name = name;
        this.rule = rule;
        this.serials = serials;
        this.history = new History(serials, settings, rule);
        this.presenceLog = new PresenceLog(settings, rule);
        this.claims = new ChannelClaims(name, rule);
    }

    /** Whether the channel has attachments, members, claims or pending changes. */
    boolean isUsed() {
        return !attachments.isEmpty() || !members.isEmpty() || claims.isBusy() || underway > 0;
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

    /** Records that an attachment has other modes. */
    public void modesChanged() {
        attendanceChanged = true;
    }

    /** Returns and resets whether attachments or their modes have changed. */
    boolean attendanceChanged() {
        boolean changed = attendanceChanged;
        attendanceChanged = false;
        return changed;
    }

    /** Counts the members. One connection may have several. */
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

    /** Time of the last presence event. {@link #hubMadeMillis()} is that of the last one made by the hub. */
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
     * Returns the time for a client's presence event. It is later than any event made by the hub: SDKs order these two
     * kinds by time alone, and some require a strictly later time.
     */
    public long clientEventMillis(long wallMillis) {
        presenceMillis = Math.max(presenceMillis, Math.max(wallMillis, hubMadeMillis + 1));
        return presenceMillis;
    }

    /** Returns the time for an event made by the hub. It is later than any earlier event. */
    public long hubEventMillis(long wallMillis) {
        presenceMillis = Math.max(wallMillis, presenceMillis + 1);
        hubMadeMillis = presenceMillis;
        return presenceMillis;
    }

    /** A receiver that gets a frame even if not attached, with its spelling of the channel. */
    public record Also(Connection connection, String spelling) {}

    /**
     * Sends a frame to every attachment that has the mode. Receivers that spell the channel alike share one frame.
     *
     * @param except a connection that does not receive it
     * @param also a receiver that gets it in any case
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
