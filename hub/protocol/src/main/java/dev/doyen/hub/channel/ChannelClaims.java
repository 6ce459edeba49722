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
 * The claims of one channel: holders of numbered slots and queues of waiting claims.
 *
 * <p>Each slot name has a queue. The hub asks the store about the first claim of a queue only.
 */
public final class ChannelClaims {

    private final String channel;
    private final ChannelRule rule;
    /** Slots that have been held or found paused since the channel was created. */
    private final Map<Slot, SlotClaim> known = new LinkedHashMap<>();

    private final Map<String, Deque<WaitingClaim>> waiting = new LinkedHashMap<>();

    ChannelClaims(String channel, ChannelRule rule) {
        this.channel = channel;
        this.rule = rule;
    }

    boolean isBusy() {
        return waitingInAll() > 0 || known.values().stream().anyMatch(claim -> claim.isHeld() || claim.silence != null);
    }

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

    /** Returns the claim on a slot; null if the slot was never held or paused. */
    @Nullable
    public SlotClaim find(Slot slot) {
        return known.get(slot);
    }

    /** Returns the claim that a member holds; null if none. A member holds at most one (rule C13). */
    @Nullable
    public SlotClaim heldBy(Connection connection, @Nullable String clientId) {
        for (SlotClaim claim : known.values()) {
            if (claim.isHeldBy(connection, clientId)) {
                return claim;
            }
        }
        return null;
    }

    /** Whether the connection holds that slot in that term. */
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

    /** Ends the claims of a connection whose members' data no longer claims, and releases their leases. */
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

    public List<SlotClaim.Silence> silences() {
        var silences = new ArrayList<SlotClaim.Silence>();
        for (SlotClaim claim : known.values()) {
            if (claim.silence != null) {
                silences.add(claim.silence);
            }
        }
        return silences;
    }

    public List<SlotClaim> held(String slotName) {
        return known.values().stream()
                .filter(claim -> claim.isHeld() && claim.slot.name().equals(slotName))
                .toList();
    }

    /**
     * Chooses the number for a claimant (rule C14).
     *
     * <p>The choice is the number that is reserved for the client, else the one that it held last, else the lowest free
     * one.
     *
     * @param not numbers that the store has rejected
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

    /** Returns a slot that waits for its former holder (rule C19); null if none of this name does. */
    @Nullable
    public SlotClaim silent(String slotName) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.name().equals(slotName) && claim.silence != null) {
                return claim;
            }
        }
        return null;
    }

    /** Returns the slots whose end this former holder has not confirmed yet (rule C19). */
    public List<SlotClaim> silentOf(Connection connection, String clientId) {
        return known.values().stream()
                .filter(claim -> claim.silence != null
                        && claim.silence.former.clientId().equals(clientId)
                        && claim.silence.former.connectionId().equals(connection.id))
                .toList();
    }

    /** Returns a free slot that is barred to this client; null if none of this name is. */
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

    /** Returns the slot of an election name; null if that slot is not known. */
    @Nullable
    public SlotClaim ofElection(String election) {
        for (SlotClaim claim : known.values()) {
            if (claim.slot.electionOn(channel).equals(election)) {
                return claim;
            }
        }
        return null;
    }

    /** Returns the leader slot, then other slots in the order in which they became known. */
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
