package dev.doyen.hub;

import dev.doyen.event.Leader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one channel: who holds which numbered slot, and who waits for one. Of those who wait for slots of one
 * name, the first is the one the store is asked about.
 */
final class ChannelClaims {

    private final String channel;
    private final ChannelRule rule;
    /** Those that ever were held, or found paused, since the channel was made. */
    private final Map<Slot, SlotClaim> known = new LinkedHashMap<>();

    private final Map<String, Deque<WaitingClaim>> waiting = new LinkedHashMap<>();

    ChannelClaims(String channel, ChannelRule rule) {
        this.channel = channel;
        this.rule = rule;
    }

    boolean isBusy() {
        return waitingInAll() > 0 || known.values().stream().anyMatch(claim -> claim.isHeld() || claim.silence != null);
    }

    int waitingInAll() {
        int all = 0;
        for (Deque<WaitingClaim> each : waiting.values()) {
            all += each.size();
        }
        return all;
    }

    Deque<WaitingClaim> waiting(String slotName) {
        return waiting.computeIfAbsent(slotName, name -> new ArrayDeque<>());
    }

    List<WaitingClaim> waiting() {
        var all = new ArrayList<WaitingClaim>();
        waiting.values().forEach(all::addAll);
        return all;
    }

    SlotClaim of(Slot slot) {
        return known.computeIfAbsent(slot, each -> new SlotClaim(channel, each));
    }

    /** What is known of this slot; null if nothing is. */
    @Nullable
    SlotClaim find(Slot slot) {
        return known.get(slot);
    }

    /** What this member holds; null if nothing. It is one claim at most (rule C13). */
    @Nullable
    SlotClaim heldBy(Connection connection, @Nullable String clientId) {
        for (SlotClaim claim : known.values()) {
            if (claim.isHeldBy(connection, clientId)) {
                return claim;
            }
        }
        return null;
    }

    /** Whether it holds that slot in that term. */
    boolean isHeldBy(Connection connection, Change.Fence held) {
        SlotClaim claim = known.get(held.slot());
        return claim != null && claim.isHeldBy(connection) && claim.term() == held.term();
    }

    List<SlotClaim> heldBy(Connection connection) {
        var held = new ArrayList<SlotClaim>();
        for (SlotClaim claim : known.values()) {
            if (claim.isHeldBy(connection)) {
                held.add(claim);
            }
        }
        return held;
    }

    List<SlotClaim> held() {
        return known.values().stream().filter(SlotClaim::isHeld).toList();
    }

    List<SlotClaim.Silence> silences() {
        var silences = new ArrayList<SlotClaim.Silence>();
        for (SlotClaim claim : known.values()) {
            if (claim.silence != null) {
                silences.add(claim.silence);
            }
        }
        return silences;
    }

    List<SlotClaim> held(String slotName) {
        return known.values().stream()
                .filter(claim -> claim.isHeld() && claim.slot.name().equals(slotName))
                .toList();
    }

    /**
     * Which number a claimant is to have (rule C14): the one that is kept for it or that it had last, else
     * the lowest that is free.
     *
     * @param not numbers that the store has refused
     */
    Optional<Slot> free(String slotName, String clientId, Collection<Integer> not, long nowNanos) {
        Slot lowest = null;
        Slot own = null;
        for (int number = 1; number <= rule.slots().getOrDefault(slotName, 0); number++) {
            var slot = new Slot(slotName, number);
            SlotClaim claim = known.get(slot);
            if ((claim != null && (claim.isHeld() || claim.silence != null)) || not.contains(number)) {
                continue;
            }
            if (claim != null && claim.reservation().excludes(clientId, nowNanos)) {
                continue;
            }
            if (claim != null && claim.reservation().isFor(clientId, nowNanos)) {
                return Optional.of(slot);
            }
            if (own == null && claim != null && claim.lastClientId().equals(clientId)) {
                own = slot;
            }
            lowest = lowest == null ? slot : lowest;
        }
        return Optional.ofNullable(own == null ? lowest : own);
    }

    /** A slot of this name whose former holder may still think that it holds it; null if there is none. */
    @Nullable
    SlotClaim silent(String slotName) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.name().equals(slotName) && claim.silence != null) {
                return claim;
            }
        }
        return null;
    }

    /** The slots that this member held until the hub took them away, without having said anything since. */
    List<SlotClaim> silentOf(Connection connection, String clientId) {
        return known.values().stream()
                .filter(claim -> claim.silence != null
                        && claim.silence.former.clientId().equals(clientId)
                        && claim.silence.former.connectionId().equals(connection.id))
                .toList();
    }

    /** A slot of this name that is free, but not for this client; null if there is none. */
    @Nullable
    SlotClaim keptFrom(String slotName, String clientId, long nowNanos) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.name().equals(slotName)
                    && !claim.isHeld()
                    && claim.reservation().excludes(clientId, nowNanos)) {
                return claim;
            }
        }
        return null;
    }

    /** The slot whose election is named so; null if none is known. */
    @Nullable
    SlotClaim ofElection(String election) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.electionOn(channel).equals(election)) {
                return claim;
            }
        }
        return null;
    }

    /** The leader's, and those that are known beside it, in the order in which they became so. */
    List<Slot> slots() {
        var slots = new LinkedHashSet<Slot>();
        slots.add(Slot.LEADER);
        slots.addAll(known.keySet());
        return List.copyOf(slots);
    }

    Map<Slot, Leader> holders() {
        var holders = new LinkedHashMap<Slot, Leader>();
        known.forEach((slot, claim) -> claim.leader().ifPresent(leader -> holders.put(slot, leader)));
        return holders;
    }
}
