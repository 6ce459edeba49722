package dev.doyen.hub;

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
 * A PRESENCE frame that has passed every check that does not depend on the claim.
 *
 * @param spelling how the sender spells the channel
 */
record PresenceFrame(Connection connection, Channel channel, String spelling, long msgSerial, List<Entry> entries) {

    PresenceFrame {
        entries = List.copyOf(entries);
    }

    /**
     * One entry: what is to become of one member.
     *
     * @param message without what only the hub may say in its extras
     * @param suppliedId the id of an earlier state of this connection's, which an SDK enters anew
     * @param claim what the data claims, null if nothing
     */
    record Entry(
            String clientId,
            PresenceMessage message,
            Optional<PresenceId> suppliedId,
            @Nullable ClaimData claim) {

        private Entry stamped(Change.Fence claim) {
            var extras = Extras.withClaim(message.extras(), claim.term(), claim.slot());
            return new Entry(clientId, message.withExtras(extras), suppliedId, this.claim);
        }

        boolean leaves() {
            return message.action() == PresenceAction.LEAVE;
        }
    }

    /** With the term in the extras of those entries that claim (rule C4). */
    PresenceFrame stamped(Change.Fence claim) {
        return new PresenceFrame(
                connection,
                channel,
                spelling,
                msgSerial,
                entries.stream()
                        .map(entry -> entry.claim() == null ? entry : entry.stamped(claim))
                        .toList());
    }

    /** For whom entries claim, and what. */
    Map<String, Set<String>> claimants() {
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

    /** How often the claim that this frame makes for a client promises that it will be heard; empty if it does not. */
    OptionalLong promisedMillis(String clientId) {
        for (Entry entry : entries) {
            if (entry.claim() != null && entry.clientId().equals(clientId)) {
                return entry.claim().ttlMillis();
            }
        }
        return OptionalLong.empty();
    }
}
