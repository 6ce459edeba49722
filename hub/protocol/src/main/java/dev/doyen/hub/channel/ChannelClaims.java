package dev.doyen.hub.channel;

import dev.doyen.event.Leader;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
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
 * The claims of one channel: the holders of numbered slots, and the waiting claims.
 *
 * <p>Each slot name has a queue. The hub asks the store only about the first claim of each queue.
 */
public final class ChannelClaims {

    private final String channel;
    private final ChannelRule rule;
    /** The slots on which the store has granted a claim, or whose election was paused. */
    private final Map<Slot, SlotClaim> known = new LinkedHashMap<>();

    private final Map<String, Deque<WaitingClaim>> waiting = new LinkedHashMap<>();

    ChannelClaims(String channel, ChannelRule rule) {
        this.channel = channel;
        this.rule = rule;
    }

    boolean isBusy() {
        return waitingInAll() > 0 || known.values().stream().anyMatch(claim -> claim.isHeld() || claim.silence != null);
    }

    /** Returns the number of claims that wait in all queues of the channel. */
    public int waitingInAll() {
        int all = 0;
        for (Deque<WaitingClaim> each : waiting.values()) {
            all += each.size();
        }
        return all;
    }

    public Deque<WaitingClaim> waiting(String slotName) {
        return waiting.computeIfAbsent(slotName, name -> new ArrayDeque<>());
    }

    public List<WaitingClaim> waiting() {
        var all = new ArrayList<WaitingClaim>();
        waiting.values().forEach(all::addAll);
        return all;
    }

    public SlotClaim of(Slot slot) {
        return known.computeIfAbsent(slot, each -> new SlotClaim(channel, each));
    }

    /**
     * Returns the claim on a slot. The result is null if the store never granted a claim on the slot and the slot's
     * election was never paused.
     */
    @Nullable
    public SlotClaim find(Slot slot) {
        return known.get(slot);
    }

    /**
     * Returns the claim that a member holds, or null if the member holds none. A member holds at most one claim (rule
     * C13).
     */
    @Nullable
    public SlotClaim heldBy(Connection connection, @Nullable String clientId) {
        for (SlotClaim claim : known.values()) {
            if (claim.isHeldBy(connection, clientId)) {
                return claim;
            }
        }
        return null;
    }

    /** Returns true if the connection holds the given slot in the given term. */
    boolean isHeldBy(Connection connection, Change.Fence held) {
        SlotClaim claim = known.get(held.slot());
        return claim != null && claim.isHeldBy(connection) && claim.term() == held.term();
    }

    public List<SlotClaim> heldBy(Connection connection) {
        var held = new ArrayList<SlotClaim>();
        for (SlotClaim claim : known.values()) {
            if (claim.isHeldBy(connection)) {
                held.add(claim);
            }
        }
        return held;
    }

    /**
     * Ends the claims of members of this connection whose data no longer contains a claim. The method also releases the
     * leases of these claims. The method ignores a claim that the log does not contain yet.
     */
    public void endUnclaimed(StepContext step, Timers timers, Channel channel, Connection connection) {
        for (SlotClaim held : heldBy(connection)) {
            Member holder = held.holder(channel);
            if (held.isKnown() && (holder == null || holder.claim == null)) {
                step.release(held.end(step, timers));
            }
        }
    }

    public List<SlotClaim> held() {
        return known.values().stream().filter(SlotClaim::isHeld).toList();
    }

    public List<SlotClaim> held(String slotName) {
        return known.values().stream()
                .filter(claim -> claim.isHeld() && claim.slot.name().equals(slotName))
                .toList();
    }

    /**
     * Chooses the slot number for a claimant (rule C14).
     *
     * <p>The number that is reserved for the client comes first, then the number that the client held last, then the
     * lowest free number.
     *
     * @param not the numbers that the store has rejected
     */
    public Optional<Slot> free(String slotName, String clientId, Collection<Integer> not, long nowNanos) {
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

    /**
     * Returns a blocked slot of this name, or null if there is none. A slot is blocked until its former holder confirms
     * that it has stopped, or until the promise of the former holder ends (rule C19).
     */
    @Nullable
    public SlotClaim silent(String slotName) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.name().equals(slotName) && claim.silence != null) {
                return claim;
            }
        }
        return null;
    }

    /** Returns the slots of a former holder that has not confirmed that it has stopped. The rule is C19. */
    public List<SlotClaim> unconfirmedOf(Connection connection, String clientId) {
        return known.values().stream()
                .filter(claim -> claim.silence != null
                        && claim.silence.former.clientId().equals(clientId)
                        && claim.silence.former.connectionId().equals(connection.id))
                .toList();
    }

    /** Returns a free slot that this client must not claim because of a reservation; null if there is none. */
    @Nullable
    public SlotClaim keptFrom(String slotName, String clientId, long nowNanos) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.name().equals(slotName)
                    && !claim.isHeld()
                    && claim.reservation().excludes(clientId, nowNanos)) {
                return claim;
            }
        }
        return null;
    }

    /**
     * Returns the claim on the slot of an election. The result is null in the same cases as the result of
     * {@link #find}.
     */
    @Nullable
    public SlotClaim ofElection(String election) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.electionOn(channel).equals(election)) {
                return claim;
            }
        }
        return null;
    }

    /** Returns the leader slot, then the other slots in the order of their first use. */
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
