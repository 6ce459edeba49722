package dev.doyen.hub.claim;

import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.ChannelClaims;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Demotion;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.Member;
import dev.doyen.hub.channel.PresenceCapacity;
import dev.doyen.hub.channel.PresenceFrame;
import dev.doyen.hub.channel.Receipt;
import dev.doyen.hub.channel.SlotClaim;
import dev.doyen.hub.channel.WaitingClaim;
import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.quota.Resource;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides claims by rules C2, C3, C5, C7, C8, C9, C13, C14, C16, C19 and C21.
 *
 * <p>Only the store grants a claim. Claims for slots of one name wait in a queue, and the hub asks the store about the
 * first claim of the queue. After the store's decision, the hub handles the next claim in the same way. If all slot
 * numbers are held, the hub rejects the claim and does not ask the store.
 *
 * <p>This class is long because every start and every end of a claim uses the same queue.
 */
public final class Claims {

    /**
     * The delay before the hub asks the store again, in nanoseconds. The hub asks again if the lease's holder no longer
     * has a claim, because the lease then becomes free soon.
     */
    private static final long RETRY_NANOS = 50_000_000;

    private final HubSettings settings;
    private final Timers timers;
    private final Channels channels;
    private final States states;
    private final Log log;
    private final PresenceCapacity capacity;
    private final HubMode company;

    /**
     * The number of claims that the hub has released while their outcomes were pending. This number is the {@link
     * Claimant#attempt} of the next claim, so a late outcome never matches a later claim.
     */
    private long releasedAttempts;

    /**
     * The open silences of all channels. If this node joins the other nodes again, it removes its channels, but the
     * silences stay open.
     */
    private final Set<SlotClaim.Silence> silences = new LinkedHashSet<>();

    public Claims(HubSettings settings, Timers timers, Channels channels, States states, Log log, HubMode company) {
        this.settings = settings;
        this.timers = timers;
        this.channels = channels;
        this.states = states;
        this.log = log;
        this.capacity = new PresenceCapacity(settings, channels);
        this.company = company;
    }

    /**
     * Throws a {@link Refusal} if a claim cannot succeed. A claim cannot succeed if no number of the slot is free, if
     * the member holds another slot, if too many claims wait, or if the client has exceeded its quota. A new claim that
     * passes counts toward the quota of claims per minute.
     */
    public void checkFree(StepContext step, PresenceFrame frame, String clientId, String slotName) throws Refusal {
        ChannelClaims claims = frame.channel().claims;
        String channel = frame.channel().name;
        SlotClaim own = claims.heldBy(frame.connection(), clientId);
        if (own != null) {
            if (!own.slot.name().equals(slotName)) {
                throw new Refusal(
                        ErrorCode.CLAIM_HELD,
                        Quote.of(clientId) + " holds " + own.slot + " of " + Quote.of(channel) + " in term "
                                + own.term() + ", and a member holds one claim at most; release it first");
            }
            return;
        }
        if (claims.free(slotName, clientId, List.of(), step.nanos()).isEmpty()) {
            throw new Refusal(
                    ErrorCode.CLAIM_HELD,
                    ClaimErrors.held(frame.channel(), slotName, List.of(), clientId, step.nanos()));
        }
        if (claims.waitingInAll() >= settings.maxWaitingClaimsPerChannel()) {
            throw new Refusal(
                    ErrorCode.CLAIM_HELD,
                    "claim on " + Quote.of(channel) + " is being decided, and " + claims.waitingInAll()
                            + " already wait; try again later");
        }
        Usage usage = frame.connection().usage;
        usage.check(Resource.CLAIMS, 1);
        usage.takeClaim(step.nanos());
    }

    /** Applies a claiming frame that has passed {@link #checkFree}, or puts it into the queue. */
    public void request(StepContext step, PresenceFrame frame, Receipt receipt, String clientId, String slotName) {
        SlotClaim own = frame.channel().claims.heldBy(frame.connection(), clientId);
        if (own != null) {
            applyAsHolder(step, frame, receipt, own);
        } else {
            withdraw(
                    step,
                    frame.channel(),
                    frame.connection(),
                    clientId,
                    slotName,
                    "its member claims another slot instead");
            enqueue(step, new WaitingClaim(frame, receipt, clientId, slotName));
        }
    }

    public void granted(StepContext step, Claimant claimant, long term, SavedState left) {
        WaitingClaim first = pendingClaim(claimant);
        if (first == null) {
            // The claim was withdrawn. Release the lease, because it would prevent all other claims. If the same member
            // has claimed again, this effect does not release its new claim, because the attempts differ.
            step.release(claimant);
            return;
        }
        Channel channel = first.channel();
        SlotClaim claim = channel.claims.of(claimant.slot());
        Optional<Refusal> full = capacity.refusal(first.frame);
        take(first);
        if (term <= claim.term()) {
            step.release(claimant);
            String sentence = "the store granted the claim on " + Quote.of(channel.name) + " in term " + term
                    + ", but term " + claim.term() + " was used already";
            reject(step, first.frame, first.receipt, ErrorCode.UNAVAILABLE.because(sentence));
        } else if (full.isPresent()) {
            step.release(claimant);
            reject(step, first.frame, first.receipt, full.get().error());
        } else {
            claim.hold(first.connection(), claimant, first.frame.claimOf(first.clientId), term, left);
            // Send the saved state before the event that makes the member the leader (rule C17).
            states.send(step, channel, claim, first.connection());
            applyAsHolder(step, first.frame, first.receipt, claim);
        }
        advance(step, channel, first.slotName);
        channels.settle(step, channel);
    }

    /**
     * Handles a rejection by the store. If the lease becomes free soon, the hub asks the store again after a delay.
     * Otherwise the hub tries another free slot number for the claim, or rejects the claim if no number is free.
     */
    public void refused(StepContext step, Claimant claimant, Optional<Leader> holder) {
        WaitingClaim first = pendingClaim(claimant);
        if (first != null) {
            first.pendingClaimant = null;
            if (holder.isPresent() && isLettingGo(first.channel(), claimant.slot(), holder.get())) {
                retryLater(step, first);
                return;
            }
            first.refused.put(claimant.slot().number(), holder);
            advance(step, first.channel(), first.slotName);
            channels.settle(step, first.channel());
        }
    }

    /**
     * Returns true if the holder of the slot's lease no longer claims the slot on the channel. The node of that holder
     * will release the lease soon, or has stopped. On a single hub, the result is always false.
     */
    private boolean isLettingGo(Channel channel, Slot slot, Leader holder) {
        var lease = new Change.Fence(slot, holder.term());
        return company == HubMode.NODES && channel.members.values().stream().noneMatch(member -> member.claims(lease));
    }

    private void retryLater(StepContext step, WaitingClaim first) {
        first.again = timers.set(step.nanos() + RETRY_NANOS, later -> {
            first.again = null;
            advance(later, first.channel(), first.slotName);
            channels.settle(later, first.channel());
        });
    }

    /**
     * Ends a claim whose lease was lost in the store (rule C8). If the store still has a lease of the claimant, the hub
     * releases it according to rule C19.
     */
    public void lost(StepContext step, Claimant claimant, long term, String why) {
        Channel channel = channels.find(claimant.channel());
        SlotClaim claim = channel == null ? null : channel.claims.find(claimant.slot());
        if (channel != null
                && claim != null
                && claim.isHeld()
                && claim.claimant().equals(claimant)
                && claim.term() == term) {
            end(step, channel, claim, new Demotion(why, ""), true);
        }
    }

    /** Ends a claim by an admin command (rule C16). */
    public void stepDown(StepContext step, long order, String election, SlotStepDown stepDown) {
        Channel channel = channels.find(Slot.channelOf(election));
        SlotClaim claim = channel == null ? null : channel.claims.ofElection(election);
        if (channel == null || claim == null || !claim.isHeld()) {
            step.steppedDown(order, SlotStepDown.Outcome.NOT_HELD, Optional.empty());
            return;
        }
        Optional<Leader> former = claim.leader();
        String successor = stepDown.successor();
        List<Member> named = channel.members.values().stream()
                .filter(member -> member.clientId.equals(successor))
                .toList();
        if (!successor.isEmpty() && named.isEmpty()) {
            step.steppedDown(order, SlotStepDown.Outcome.SUCCESSOR_AWAY, former);
            return;
        }
        if (!successor.isEmpty() && named.stream().noneMatch(member -> mayLead(member, channel))) {
            step.steppedDown(order, SlotStepDown.Outcome.SUCCESSOR_NOT_ALLOWED, former);
            return;
        }
        String reason = stepDown.reason().isEmpty() ? "stepping down by an admin command" : stepDown.reason();
        // Set the reservation before the claim ends, because the end of the claim can start the reservation's duration.
        claim.reserve(new SlotClaim.Reservation(
                successor,
                successor.isEmpty() ? claim.holderClientId() : "",
                step.nanos(),
                stepDown.keptFor().toNanos()));
        end(step, channel, claim, new Demotion(reason, successor), true);
        channels.settle(step, channel);
        step.steppedDown(order, SlotStepDown.Outcome.DONE, former);
    }

    /**
     * Returns true if the member may lead. Only the node of the connection has the member's access rights, so the other
     * nodes return true.
     */
    private static boolean mayLead(Member member, Channel channel) {
        return !member.connection.node.isEmpty() || member.connection.access.allows(channel.name, Operation.LEAD);
    }

    /**
     * Ends the held and the waiting claims of a connection whose access no longer allows it to lead. The members stay
     * present.
     *
     * @param why the reason, for the clients
     */
    public void stepDown(StepContext step, Channel channel, Connection connection, String why) {
        withdrawAll(step, channel, connection, why);
        for (SlotClaim held : channel.claims.heldBy(connection)) {
            end(step, channel, held, new Demotion(why, ""), true);
        }
        channels.settle(step, channel);
    }

    /**
     * Ends the claims that a connection holds on a channel, without an event.
     *
     * <p>The hub releases the leases according to rule C19. The caller then removes the members, or another node sends
     * the events that end the claims.
     */
    public void abandon(StepContext step, Channel channel, Connection connection) {
        for (SlotClaim held : channel.claims.heldBy(connection)) {
            endWithoutEvent(step, channel, held);
        }
        channels.settle(step, channel);
    }

    /** Ends a claim without an event. The hub releases the lease according to rule C19. */
    private void endWithoutEvent(StepContext step, Channel channel, SlotClaim claim) {
        long promiseEnd = promiseEnd(step, channel, claim);
        awaitConfirmation(step, channel, claim, new SlotClaim.Silence(claim.end(step, timers), true), promiseEnd);
    }

    /**
     * Ends a held claim and removes the claim from the member's data.
     *
     * @param releases true if the hub has to release the lease
     */
    void end(StepContext step, Channel channel, SlotClaim claim, Demotion demotion, boolean releases) {
        Connection connection = Objects.requireNonNull(claim.holderConnection(), "only a claim that is held is ended");
        long promiseEnd = promiseEnd(step, channel, claim);
        Claimant former = claim.end(step, timers);
        log.append(
                step,
                new Change.Demoted(channel, connection, former.clientId(), demotion.why(), demotion.successor()),
                Log.IGNORED);
        awaitConfirmation(step, channel, claim, new SlotClaim.Silence(former, releases), promiseEnd);
    }

    /**
     * Returns the time until which the holder may lead by its own clock (rule C19). The result is the current time if
     * the holder has promised nothing.
     */
    private static long promiseEnd(StepContext step, Channel channel, SlotClaim claim) {
        Connection connection = claim.holderConnection();
        ClaimData data = claim.data(channel);
        OptionalLong ttlMillis = data == null ? OptionalLong.empty() : data.ttlMillis();
        return connection == null || ttlMillis.isEmpty()
                ? step.nanos()
                : connection.lastReceivedNanos + ttlMillis.getAsLong() * 1_000_000;
    }

    /**
     * Blocks the slot after the end of a claim (rule C19). The block ends when the former holder confirms that it has
     * stopped, or when the holder's promise ends.
     */
    private void awaitConfirmation(
            StepContext step, Channel channel, SlotClaim claim, SlotClaim.Silence silence, long promiseEnd) {
        claim.silence = silence;
        silences.add(silence);
        if (promiseEnd - step.nanos() <= 0) {
            endSilence(step, claim);
        } else {
            silence.end = timers.set(promiseEnd, later -> {
                silence.end = null;
                endSilence(later, claim);
                channels.settle(later, channel);
            });
        }
    }

    /** Handles a presence frame without a claim. With this frame the member confirms that it has stopped (rule C19). */
    public void received(StepContext step, PresenceFrame frame, String clientId) {
        frame.channel().claims.unconfirmedOf(frame.connection(), clientId).forEach(claim -> endSilence(step, claim));
    }

    /** Handles the confirmation of a former holder that has moved to another node. */
    public void receivedFromOtherNode(StepContext step, PresenceFrame frame) {
        for (PresenceFrame.Entry entry : frame.entries()) {
            if (entry.claim() == null) {
                received(step, frame, entry.clientId());
            }
        }
        channels.settle(step, frame.channel());
    }

    private void endSilence(StepContext step, SlotClaim claim) {
        SlotClaim.Silence silence = claim.silence;
        if (silence != null) {
            claim.silence = null;
            silences.remove(silence);
            if (silence.end != null) {
                timers.cancel(silence.end);
            }
            claim.reserve(claim.reservation().from(step.nanos()));
            if (silence.releases) {
                step.release(silence.former);
            }
        }
    }

    /** Returns the former holders that have not confirmed the end of their claims (rule C19), on all channels. */
    List<SlotClaim.Silence> silences() {
        return List.copyOf(silences);
    }

    /** Rejects a claim because the election is paused (rule M1). */
    public void paused(StepContext step, Claimant claimant, String why) {
        WaitingClaim first = pendingClaim(claimant);
        if (first != null) {
            // Register the slot, so that the console shows which election to resume.
            first.channel().claims.of(claimant.slot());
            first.pendingClaimant = null;
            giveUp(
                    step,
                    first,
                    ErrorCode.CLAIM_HELD.because("claim on " + claimant.slot() + " of " + Quote.of(claimant.channel())
                            + " is refused: " + why));
            advance(step, first.channel(), first.slotName);
            channels.settle(step, first.channel());
        }
    }

    /** Withdraws the waiting claims of all members of a connection. */
    public void withdrawAll(StepContext step, Channel channel, Connection connection, String why) {
        for (WaitingClaim waiting : List.copyOf(connection.waitingClaims)) {
            if (waiting.channel() == channel) {
                withdraw(step, channel, connection, waiting.clientId, why);
            }
        }
    }

    /** Withdraws the waiting claims of a member. */
    public void withdraw(StepContext step, Channel channel, Connection connection, String clientId, String why) {
        withdraw(step, channel, connection, clientId, "", why);
    }

    /**
     * @param except the slot name whose claims stay; empty to withdraw all claims
     */
    private void withdraw(
            StepContext step, Channel channel, Connection connection, String clientId, String except, String why) {
        for (WaitingClaim waiting : channel.claims.waiting()) {
            if (waiting.connection() == connection
                    && waiting.clientId.equals(clientId)
                    && !waiting.slotName.equals(except)) {
                giveUp(
                        step,
                        waiting,
                        ErrorCode.CLAIM_HELD.because("claim on " + Quote.of(channel.name) + " was withdrawn: " + why));
                advance(step, channel, waiting.slotName);
            }
        }
    }

    private void enqueue(StepContext step, WaitingClaim waiting) {
        Channel channel = waiting.channel();
        channel.claims.waiting(waiting.slotName).add(waiting);
        waiting.connection().waitingClaims.add(waiting);
        waiting.connection().usage.add(Resource.CLAIMS, 1);
        long timeoutNanos = settings.claimTimeout().toNanos();
        waiting.timeout = timers.set(step.nanos() + timeoutNanos, later -> {
            waiting.timeout = null;
            String sentence = "claim on " + Quote.of(channel.name) + " was not decided within "
                    + settings.claimTimeout().toMillis() + " ms: the store does not answer; try again later";
            giveUp(later, waiting, ErrorCode.UNAVAILABLE.because(sentence));
            advance(later, channel, waiting.slotName);
            channels.settle(later, channel);
        });
        advance(step, channel, waiting.slotName);
    }

    /** Decides waiting claims without the store if possible. Then asks the store about the next claim. */
    private void advance(StepContext step, Channel channel, String slotName) {
        ChannelClaims claims = channel.claims;
        Deque<WaitingClaim> queue = claims.waiting(slotName);
        while (!queue.isEmpty()) {
            WaitingClaim first = queue.element();
            if (first.pendingClaimant != null || first.again != null) {
                return;
            }
            SlotClaim own = claims.heldBy(first.connection(), first.clientId);
            Optional<Slot> free = own == null
                    ? claims.free(slotName, first.clientId, first.refused.keySet(), step.nanos())
                    : Optional.empty();
            if (free.isPresent()) {
                first.pendingClaimant =
                        new Claimant(channel.name, free.get(), first.clientId, first.connection().id, releasedAttempts);
                step.claim(first.pendingClaimant);
                return;
            }
            take(first);
            if (own != null) {
                applyAsHolder(step, first.frame, first.receipt, own);
            } else {
                reject(step, first.frame, first.receipt, ClaimErrors.refused(first, step.nanos()));
            }
        }
    }

    private void applyAsHolder(StepContext step, PresenceFrame frame, Receipt receipt, SlotClaim claim) {
        Channel channel = frame.channel();
        Claimant holder = claim.claimant();
        var fence = new Change.Fence(claim.slot, claim.term());
        log.append(step, new Change.Presented(frame.stamped(fence), fence), new Log.Outcome() {
            @Override
            public void done(StepContext later, List<Message> published) {
                claim.markKnown(frame.connection(), holder.clientId(), fence.term());
                channel.claims.endUnclaimed(later, timers, channel, frame.connection());
                armBeat(channel, claim);
                receipt.ack(later);
            }

            @Override
            public void refused(StepContext later, ErrorInfo why) {
                if (claim.isHeld() && claim.claimant().equals(holder) && claim.term() == fence.term()) {
                    // The holder has perhaps moved to another node, where an earlier frame still lets it lead.
                    endWithoutEvent(later, channel, claim);
                }
                reject(later, frame, receipt, why);
            }
        });
    }

    /** Rejects a claiming frame. An SDK can have sent it by itself, so its program perhaps still leads (rule C21). */
    private static void reject(StepContext step, PresenceFrame frame, Receipt receipt, ErrorInfo error) {
        frame.channel().formerHolders.addRejected(frame);
        receipt.nack(step, error);
    }

    /**
     * Sets the timer that ends the claim of a silent holder (rule C7). Frames do not reset the timer. If the timer
     * fires and the holder has sent a frame since the timer was set, the timer is set again.
     */
    private void armBeat(Channel channel, SlotClaim claim) {
        if (claim.beat != null) {
            timers.cancel(claim.beat);
            claim.beat = null;
        }
        Member holder = claim.holder(channel);
        OptionalLong ttlMillis =
                holder == null || holder.claim == null ? OptionalLong.empty() : holder.claim.ttlMillis();
        if (holder == null || ttlMillis.isEmpty()) {
            return;
        }
        long ttlNanos = ttlMillis.getAsLong() * 1_000_000;
        claim.beat = timers.set(holder.connection.lastReceivedNanos + ttlNanos, later -> {
            claim.beat = null;
            if (later.nanos() - holder.connection.lastReceivedNanos < ttlNanos) {
                armBeat(channel, claim);
            } else {
                String why = "it sent nothing for " + ttlMillis.getAsLong() + " ms";
                end(later, channel, claim, new Demotion(why, ""), true);
            }
        });
    }

    /** Returns the waiting claim whose request to the store is pending for this claimant; null if there is none. */
    private @Nullable WaitingClaim pendingClaim(Claimant claimant) {
        Channel channel = channels.find(claimant.channel());
        WaitingClaim first = channel == null
                ? null
                : channel.claims.waiting(claimant.slot().name()).peek();
        return first != null && claimant.equals(first.pendingClaimant) ? first : null;
    }

    private void giveUp(StepContext step, WaitingClaim waiting, ErrorInfo error) {
        take(waiting);
        if (waiting.pendingClaimant != null) {
            step.release(waiting.pendingClaimant);
            releasedAttempts++;
        }
        reject(step, waiting.frame, waiting.receipt, error);
    }

    private void take(WaitingClaim waiting) {
        waiting.channel().claims.waiting(waiting.slotName).remove(waiting);
        if (waiting.connection().waitingClaims.remove(waiting)) {
            waiting.connection().usage.add(Resource.CLAIMS, -1);
        }
        if (waiting.timeout != null) {
            timers.cancel(waiting.timeout);
            waiting.timeout = null;
        }
        if (waiting.again != null) {
            timers.cancel(waiting.again);
            waiting.again = null;
        }
    }
}
