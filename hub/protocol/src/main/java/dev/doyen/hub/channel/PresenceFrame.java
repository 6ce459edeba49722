package dev.doyen.hub.channel;

import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A PRESENCE frame that has passed all checks except those of claim and capacity.
 *
 * @param spelling the channel name as the sender writes it
 */
public record PresenceFrame(
        Connection connection, Channel channel, String spelling, long msgSerial, List<Entry> entries) {

    public PresenceFrame {
        entries = List.copyOf(entries);
    }

    /**
     * The requested change of one member.
     *
     * @param message the message without the headers that only the hub may set
     * @param suppliedId the id of an earlier presence event on this connection; an SDK sends this id when it enters a
     *     member again
     * @param claim the claim in the data; null if the data contains none
     */
    public record Entry(
            String clientId,
            PresenceMessage message,
            Optional<PresenceId> suppliedId,
            @Nullable ClaimData claim) {

        private Entry stamped(Change.Fence claim) {
            var extras = Extras.withClaim(message.extras(), claim.term(), claim.slot());
            return new Entry(clientId, message.withExtras(extras), suppliedId, this.claim);
        }

        /**
         * Returns the size of the member after this entry, for the limits of presence. The size is 0 if the member
         * leaves.
         */
        long bytes() {
            return leaves() ? 0 : Member.bytes(clientId, message);
        }

        public boolean leaves() {
            return message.action() == PresenceAction.LEAVE;
        }
    }

    /** Returns the frame with the term in the extras of its claiming entries (rule C4). */
    public PresenceFrame stamped(Change.Fence claim) {
        return new PresenceFrame(
                connection,
                channel,
                spelling,
                msgSerial,
                entries.stream()
                        .map(entry -> entry.claim() == null ? entry : entry.stamped(claim))
                        .toList());
    }

    /** Returns the size of the frame's members after this frame, for the limits of presence. */
    long bytes() {
        return entries.stream().mapToLong(Entry::bytes).sum();
    }

    /** Returns the client ids whose entries contain a claim, each with the claimed slots. */
    public Map<String, Set<String>> claimants() {
        var claimants = new LinkedHashMap<String, Set<String>>();
        for (Entry entry : entries) {
            if (entry.claim() != null) {
                claimants
                        .computeIfAbsent(entry.clientId(), id -> new LinkedHashSet<>())
                        .add(entry.claim().slot());
            }
        }
        return claimants;
    }

    /** Returns the first claim of a client, or null if the frame contains no claim of the client. */
    @Nullable
    public ClaimData claimOf(String clientId) {
        for (Entry entry : entries) {
            if (entry.claim() != null && entry.clientId().equals(clientId)) {
                return entry.claim();
            }
        }
        return null;
    }
}
