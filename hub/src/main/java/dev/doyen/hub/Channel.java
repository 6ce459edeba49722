package dev.doyen.hub;

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

/** A channel's state: who listens, who is present, what was said, who claims. */
final class Channel {

    final String name;
    final ChannelRule rule;
    final ChannelSerials serials;
    final History history;
    final PresenceLog presenceLog;
    final ChannelClaims claims;
    final PresenceStorm storm = new PresenceStorm(this);
    final Set<Attachment> attachments = new LinkedHashSet<>();
    final Map<MemberKey, Member> members = new LinkedHashMap<>();

    /** Those of the attachments that are told how many use the channel. */
    final Set<Attachment> watchers = new LinkedHashSet<>();

    /** How many changes of this node's are on their way into the log. */
    int underway;

    Timers.@Nullable Timer sweep;
    long idleSinceNanos;
    /** What {@link Channels} counts for this channel's past. */
    long countedBytes;

    Timers.@Nullable Timer occupancyDue;
    /** What was told to all last, and when; nothing yet if never. */
    @Nullable
    Occupancy occupancyTold;

    long occupancyToldNanos;

    /** Whether somebody has attached or detached, or may do something else, since this was asked last. */
    private boolean attendanceChanged;

    private long presenceMillis;
    private long hubMadeMillis = -1;

    /** One client id on one connection. */
    record MemberKey(String connectionId, String clientId) {}

    Channel(String name, ChannelRule rule, ChannelSerials serials, HubSettings settings) {
        this.name = name;
        this.rule = rule;
        this.serials = serials;
        this.history = new History(serials, settings, rule);
        this.presenceLog = new PresenceLog(settings, rule);
        this.claims = new ChannelClaims(name, rule);
    }

    /** Whether anybody is attached, present, or about to be. */
    boolean isUsed() {
        return !attachments.isEmpty() || !members.isEmpty() || claims.isBusy() || underway > 0;
    }

    void remove(Attachment attachment) {
        attendanceChanged = true;
        attachments.remove(attachment);
        watchers.remove(attachment);
    }

    void watch(Attachment attachment, @Nullable OccupancyWatch watch) {
        attendanceChanged = true;
        attachment.watch = watch;
        if (watch == null) {
            watchers.remove(attachment);
        } else {
            watchers.add(attachment);
        }
    }

    /** An attachment has other modes now. */
    void modesChanged() {
        attendanceChanged = true;
    }

    /** Whether who is attached, or may do what, may have changed since this was asked last. */
    boolean attendanceChanged() {
        boolean changed = attendanceChanged;
        attendanceChanged = false;
        return changed;
    }

    /** Who is present; of one connection there may be several. */
    Occupancy present() {
        return new Occupancy(0, 0, 0, 0, members.size(), 0);
    }

    /** Counts the connections that have attached it at this node. */
    Occupancy attached() {
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
    Member member(Connection connection, String clientId) {
        return members.get(new MemberKey(connection.id, clientId));
    }

    /** The times of the last presence event, and of the last that the hub made itself. */
    long presenceMillis() {
        return presenceMillis;
    }

    long hubMadeMillis() {
        return hubMadeMillis;
    }

    void presenceTimes(long millis, long ofHubMade) {
        presenceMillis = millis;
        hubMadeMillis = ofHubMade;
    }

    /**
     * The time of a client's presence event. It is later than that of any event the hub made itself: those two kinds
     * are told apart by time alone, and some SDKs want it strictly newer.
     */
    long clientEventMillis(long wallMillis) {
        presenceMillis = Math.max(presenceMillis, Math.max(wallMillis, hubMadeMillis + 1));
        return presenceMillis;
    }

    /** The time of an event the hub makes itself: later than that of any event before. */
    long hubEventMillis(long wallMillis) {
        presenceMillis = Math.max(wallMillis, presenceMillis + 1);
        hubMadeMillis = presenceMillis;
        return presenceMillis;
    }

    /** A receiver that gets a frame though it may not be attached, and how it spells the channel. */
    record Also(Connection connection, String spelling) {}

    /**
     * Sends a frame to every attachment that has the mode: one frame for all who spell the channel alike.
     *
     * @param except who must not get it
     * @param also who gets it in any case
     */
    void deliver(Turn turn, int mode, ProtocolMessage frame, @Nullable Connection except, @Nullable Also also) {
        storm.tell(turn);
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
                turn.send(also.connection(), frame.withChannel(also.spelling()));
            }
        }
        turn.fanOut(plain, frame);
        qualified.forEach((spelling, receivers) -> turn.fanOut(receivers, frame.withChannel(spelling)));
    }

    @Override
    public String toString() {
        return "Channel[" + name + "]";
    }
}
