package dev.doyen.hub.claim;

import dev.doyen.event.Leader;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.SlotClaim;
import dev.doyen.hub.channel.WaitingClaim;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Quote;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Creates the error texts for rejected claims (rules C2, C14 and C19). */
final class ClaimErrors {

    private static final int MAX_NAMED = 5;

    private ClaimErrors() {}

    /**
     * Returns the error for a claim for which no slot number is free. Every number is held, blocked or reserved on this
     * hub, or the store has rejected the number.
     */
    static ErrorInfo refused(WaitingClaim claim, long nowNanos) {
        String channel = Quote.of(claim.channel().name);
        if (claim.refused.values().stream().anyMatch(Optional::isEmpty)) {
            return ErrorCode.UNAVAILABLE.because(
                    "claim on " + channel + " cannot be decided, because the store does not answer; try again later");
        }
        var elsewhere = new ArrayList<Map.Entry<Slot, Leader>>();
        claim.refused.forEach((number, holder) ->
                holder.ifPresent(leader -> elsewhere.add(Map.entry(new Slot(claim.slotName, number), leader))));
        return ErrorCode.CLAIM_HELD.because(held(claim.channel(), claim.slotName, elsewhere, claim.clientId, nowNanos));
    }

    /**
     * Returns a sentence that names the holders, the reservation or the former holder.
     *
     * @param elsewhere the holders that only the store reports
     */
    static String held(
            Channel channel,
            String slotName,
            Collection<Map.Entry<Slot, Leader>> elsewhere,
            String clientId,
            long nowNanos) {
        SlotClaim silent = channel.claims.silent(slotName);
        if (silent != null && silent.silence != null) {
            return "claim on " + silent.slot + " of " + Quote.of(channel.name) + " waits for "
                    + Quote.of(silent.silence.former.clientId())
                    + ", whose client may not have read yet that its claim has ended; try again in a second";
        }
        SlotClaim kept = channel.claims.keptFrom(slotName, clientId, nowNanos);
        if (kept != null) {
            return kept(channel, kept, nowNanos);
        }
        int count = channel.rule.slots().getOrDefault(slotName, 1);
        var holders = new TreeMap<Integer, Leader>();
        elsewhere.forEach(each -> holders.put(each.getKey().number(), each.getValue()));
        for (SlotClaim claim : channel.claims.held(slotName)) {
            claim.leader().ifPresent(leader -> holders.put(claim.slot.number(), leader));
        }
        String name = slotName.equals(Slot.LEADER_NAME) ? "" : slotName + " of ";
        String what = "claim on " + name + Quote.of(channel.name) + " is held by ";
        if (count == 1 && holders.size() == 1) {
            return what + by(holders.values().iterator().next());
        }
        List<String> named = new ArrayList<>();
        holders.forEach((number, leader) -> {
            if (named.size() < MAX_NAMED) {
                named.add(by(leader) + " (" + number + ")");
            }
        });
        int more = holders.size() - named.size();
        return what + String.join(", ", named) + (more > 0 ? " and " + more + " more" : "") + ": all " + count
                + " are taken";
    }

    private static String kept(Channel channel, SlotClaim claim, long nowNanos) {
        SlotClaim.Reservation reservation = claim.reservation();
        long millis = Math.max(1, (reservation.untilNanos() - nowNanos) / 1_000_000);
        String why = reservation.onlyFor().isEmpty()
                ? "closed to " + Quote.of(reservation.notFor()) + ", which an admin command asked to resign"
                : "reserved for " + Quote.of(reservation.onlyFor());
        return "claim on " + claim.slot + " of " + Quote.of(channel.name) + " is " + why + ", for another " + millis
                + " ms";
    }

    private static String by(Leader leader) {
        return Quote.of(leader.id()) + " in term " + leader.term();
    }
}
