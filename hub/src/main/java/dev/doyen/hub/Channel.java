package dev.doyen.hub;

import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A channel's state: who listens, who is present, what was said, who claims. */
final class Channel {

    final String name;
    final ChannelSerials serials;
    final History history;
    final ChannelClaim claim;
    final Set<Attachment> attachments = new LinkedHashSet<>();
    final Map<MemberKey, Member> members = new LinkedHashMap<>();

    Timers.@Nullable Timer sweep;
    long idleSinceNanos;

    private long presenceMillis;
    private long hubMadeMillis = -1;

    /** One client id on one connection. */
    record MemberKey(String connectionId, String clientId) {}

    Channel(String name, ChannelSerials serials, HubSettings settings) {
        this.name = name;
        this.serials = serials;
        this.history = new History(serials, settings);
        this.claim = new ChannelClaim(name);
    }

    /** Whether anybody is attached, present, or about to be. */
    boolean isUsed() {
        return !attachments.isEmpty() || !members.isEmpty() || claim.isBusy();
    }

    @Nullable
    Member member(Connection connection, String clientId) {
        return members.get(new MemberKey(connection.id, clientId));
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
