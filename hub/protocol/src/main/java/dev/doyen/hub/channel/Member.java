package dev.doyen.hub.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Utf8;
import org.jspecify.annotations.Nullable;

/** A client id that is present on a channel through one connection. */
public final class Member {

    /** An estimate of the size of a member without data, in bytes. */
    private static final long OVERHEAD = 256;

    public final Channel channel;
    /** The member's connection. The hub replaces this object when the connection moves to or from another node. */
    public Connection connection;

    public final String clientId;

    /** The member's last presence event. The history of the channel shares this object. */
    private PresenceMessage event;

    private long number;
    /** The id of the last event that the client caused. */
    public PresenceId ownId;
    /** The claim in the member's data; null if the data contains none. */
    @Nullable
    public ClaimData claim;

    private String spelling;

    public Member(
            Channel channel,
            Connection connection,
            String clientId,
            PresenceMessage event,
            PresenceId ownId,
            String spelling) {
        this.channel = channel;
        this.connection = connection;
        this.clientId = clientId;
        this.event = event;
        this.ownId = ownId;
        this.spelling = shared(spelling, channel);
    }

    /**
     * Returns the position of the member in the order of entering. The first position is 1; the value is 0 before the
     * member has entered.
     */
    long number() {
        return number;
    }

    /** Sets the position. Only {@link Channels#enter} may call this method. */
    void number(long entered) {
        number = entered;
    }

    public PresenceMessage event() {
        return event;
    }

    /**
     * Sets the last event. Only {@link Channels#update} may call this method, because {@code update} counts the bytes.
     */
    void become(PresenceMessage next) {
        event = next;
    }

    /** Returns the size for the limits of presence. */
    public long bytes() {
        return bytes(clientId, event);
    }

    /** Returns the size of a member with this client id and this event. */
    static long bytes(String clientId, PresenceMessage event) {
        return OVERHEAD + Utf8.length(clientId) + event.data().size() + Extras.size(event.extras());
    }

    /**
     * Returns the member's state for a SYNC. The state has the id and time of the last event, so that SDKs do not
     * report it as a new event.
     */
    public PresenceMessage state() {
        return event.withAction(PresenceAction.PRESENT);
    }

    /** Returns the channel name as the connection writes it. */
    public String spelling() {
        return spelling;
    }

    public void spelled(String newSpelling) {
        spelling = shared(newSpelling, channel);
    }

    /**
     * Returns the channel's own string if the spelling equals the channel name. Most members then share that string.
     */
    private static String shared(String spelling, Channel channel) {
        return spelling.equals(channel.name) ? channel.name : spelling;
    }

    /** Returns the term of the member's claim, or 0 if the member does not claim. */
    public long term() {
        return claim == null ? 0 : Extras.termOf(event.extras());
    }

    /** Returns true if the member's claim is for this slot and has this term. */
    public boolean claims(Change.Fence held) {
        JsonNode slot = Extras.slot(event.extras());
        return term() == held.term() && slot != null && held.slot().toString().equals(slot.textValue());
    }

    public Channel.MemberKey key() {
        return new Channel.MemberKey(connection.id, clientId);
    }
}
