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
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A PRESENCE frame that has passed all checks except those of its claim.
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
     * @param suppliedId the id of an earlier state on this connection, which an SDK enters again
     * @param claim the claim in the data; null if none
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

    /** Returns the client ids for which entries claim, each with the claimed slots. */
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

    /** Returns the ttl that the claim for a client promises (rule C7); empty for none. */
    public OptionalLong promisedMillis(String clientId) {
        for (Entry entry : entries) {
            if (entry.claim() != null && entry.clientId().equals(clientId)) {
                return entry.claim().ttlMillis();
            }
        }
        return OptionalLong.empty();
    }
}
