package dev.doyen.hub.channel;

import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of a channel whose programs may act as the leader, although they hold no claim (rule C21).
 *
 * <p>Such a member claimed with the bare string {@code leader}, so its messages contain no fence. If more than
 * {@link #MAX} members are stored, the channel forgets the oldest one.
 */
public final class FormerHolders {

    public static final int MAX = 100;

    private final Set<Channel.MemberKey> members = new FewSet<>();

    FormerHolders() {}

    public void add(String connectionId, String clientId) {
        if (members.add(new Channel.MemberKey(connectionId, clientId)) && members.size() > MAX) {
            members.remove(members.iterator().next());
        }
    }

    /** Adds the members of a frame whose ENTER with a bare claim the hub has rejected. */
    public void addRejected(PresenceFrame frame) {
        for (PresenceFrame.Entry entry : frame.entries()) {
            if (entry.message().action() == PresenceAction.ENTER
                    && entry.claim() != null
                    && entry.claim().isBare()) {
                add(frame.connection().id, entry.clientId());
            }
        }
    }

    /**
     * Handles an accepted entry of a presence frame. The member is no longer stored if it now holds a claim, or if its
     * program has sent data without a claim.
     */
    public void received(Connection connection, PresenceFrame.Entry entry) {
        if (entry.claim() != null || isOfProgram(entry.message())) {
            remove(connection.id, entry.clientId());
            remove(connection.formerId, entry.clientId());
        } else if (contains(connection, entry.clientId())) {
            // The SDK has entered the member again on a new connection, which the client can also lose.
            add(connection.id, entry.clientId());
        }
    }

    /**
     * Returns false if an SDK has sent the message by itself. An SDK enters its members again after each attach. It
     * sends the data that it received last, which is the empty string if the hub has ended the claim (rule C8). It
     * also sends the id of the last event, except on a new connection.
     */
    private static boolean isOfProgram(PresenceMessage message) {
        return message.action() != PresenceAction.ENTER
                || (message.id() == null && !ClaimData.isReleasedBare(message.data()));
    }

    private void remove(String connectionId, String clientId) {
        members.remove(new Channel.MemberKey(connectionId, clientId));
    }

    /**
     * Returns true if a member of this connection, or of the connection that it replaces, is stored.
     *
     * @param clientId the client id of the member; null for all members of the connection
     */
    public boolean contains(Connection connection, @Nullable String clientId) {
        for (Channel.MemberKey member : members) {
            if ((clientId == null || clientId.equals(member.clientId()))
                    && (member.connectionId().equals(connection.id)
                            || member.connectionId().equals(connection.formerId))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the stored members, oldest first. */
    public Set<Channel.MemberKey> members() {
        return Collections.unmodifiableSet(members);
    }
}
