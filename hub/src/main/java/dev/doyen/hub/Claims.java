package dev.doyen.hub;

import dev.doyen.event.Leader;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides about claims: rules C2, C3, C5, C7, C8 and C9.
 *
 * <p>The hub never grants of itself. The first who waits on a channel is the one the store is asked about; when it is
 * decided, those behind it are: refused if somebody now holds the claim, else asked about in turn.
 */
final class Claims {

    private final HubSettings settings;
    private final Timers timers;
    private final MemberEvents events;
    private final Channels channels;

    Claims(HubSettings settings, Timers timers, MemberEvents events, Channels channels) {
        this.settings = settings;
        this.timers = timers;
        this.events = events;
        this.channels = channels;
    }

    /** Refuses a claim that somebody else holds, or that too many wait for (rules C2 and C3). */
    void checkFree(PresenceFrame frame, String clientId) throws Refusal {
        ChannelClaim claim = frame.channel().claim;
        String channel = frame.channel().name;
        if (claim.isHeld() && !claim.isHeldBy(frame.connection(), clientId)) {
            throw new Refusal(ErrorCode.CLAIM_HELD, held(channel, claim.holderClientId(), claim.term()));
        }
        if (claim.waiting.size() >= settings.maxWaitingClaimsPerChannel()) {
            throw new Refusal(
                    ErrorCode.CLAIM_HELD,
                    "claim on " + Quote.of(channel) + " is being decided, and " + claim.waiting.size()
                            + " wait already; try again later");
        }
    }

    /** A frame that has passed {@link #checkFree} claims for {@code clientId}: it is applied, or waits. */
    void request(Turn turn, PresenceFrame frame, Receipt receipt, String clientId) {
        if (frame.channel().claim.isHeldBy(frame.connection(), clientId)) {
            applyAsHolder(turn, frame, receipt);
        } else {
            enqueue(turn, frame, receipt, clientId);
        }
    }

    void granted(Turn turn, Claimant claimant, long term) {
        WaitingClaim first = asked(claimant);
        if (first == null) {
            // Nobody wants it any more. Holding on to it would keep everybody else out.
            turn.release(claimant);
            return;
        }
        Channel channel = first.channel();
        take(first);
        if (term <= channel.claim.term()) {
            turn.release(claimant);
            String sentence = "the store granted the claim on " + Quote.of(channel.name) + " in term " + term
                    + ", but term " + channel.claim.term() + " was used already";
            first.receipt.nack(turn, ErrorCode.UNAVAILABLE.because(sentence));
        } else if (!hasRoom(first.frame)) {
            turn.release(claimant);
            first.receipt.nack(turn, full(first.frame).error());
        } else {
            channel.claim.hold(first.connection(), claimant.clientId(), term);
            applyAsHolder(turn, first.frame, first.receipt);
        }
        advance(turn, channel);
        channels.settle(turn, channel);
    }

    void refused(Turn turn, Claimant claimant, Optional<Leader> holder) {
        WaitingClaim first = asked(claimant);
        if (first != null) {
            take(first);
            String channel = claimant.channel();
            first.receipt.nack(
                    turn,
                    holder.map(leader -> ErrorCode.CLAIM_HELD.because(held(channel, leader.id(), leader.term())))
                            .orElseGet(() -> ErrorCode.UNAVAILABLE.because("claim on " + Quote.of(channel)
                                    + " cannot be decided: the store does not say who holds it; try again later")));
            advance(turn, first.channel());
            channels.settle(turn, first.channel());
        }
    }

    /** The store took the claim away: its data loses it too (rule C8). Nothing is released. */
    void lost(Turn turn, Claimant claimant, long term) {
        Channel channel = channels.find(claimant.channel());
        Member holder = channel == null ? null : channel.claim.holder(channel);
        if (holder != null
                && holder.clientId.equals(claimant.clientId())
                && holder.connection.id.equals(claimant.connectionId())
                && holder.channel.claim.term() == term) {
            holder.channel.claim.end(timers);
            events.demote(turn, holder);
        }
    }

    /** The member no longer wants what it waits for. */
    void withdraw(Turn turn, Channel channel, Connection connection, String clientId, String why) {
        for (WaitingClaim waiting : List.copyOf(channel.claim.waiting)) {
            if (waiting.connection() == connection
                    && waiting.claimant.clientId().equals(clientId)) {
                giveUp(
                        turn,
                        waiting,
                        ErrorCode.CLAIM_HELD.because("claim on " + Quote.of(channel.name) + " was withdrawn: " + why));
            }
        }
        advance(turn, channel);
    }

    /** Refuses what would make the channel fuller than it may be. */
    void checkRoom(PresenceFrame frame) throws Refusal {
        if (!hasRoom(frame)) {
            throw full(frame);
        }
    }

    private void enqueue(Turn turn, PresenceFrame frame, Receipt receipt, String clientId) {
        Channel channel = frame.channel();
        var claimant = new Claimant(channel.name, clientId, frame.connection().id);
        var waiting = new WaitingClaim(frame, receipt, claimant);
        channel.claim.waiting.add(waiting);
        frame.connection().waitingClaims.add(waiting);
        long timeoutNanos = settings.claimTimeout().toNanos();
        waiting.timeout = timers.set(turn.nanos() + timeoutNanos, later -> {
            waiting.timeout = null;
            String sentence = "claim on " + Quote.of(channel.name) + " was not decided within "
                    + settings.claimTimeout().toMillis() + " ms: the store does not answer; try again later";
            giveUp(later, waiting, ErrorCode.UNAVAILABLE.because(sentence));
            advance(later, channel);
            channels.settle(later, channel);
        });
        advance(turn, channel);
    }

    /** Decides about those who wait as far as that can be done without the store, and asks it about the next. */
    private void advance(Turn turn, Channel channel) {
        ChannelClaim claim = channel.claim;
        while (!claim.waiting.isEmpty()) {
            WaitingClaim first = claim.waiting.element();
            if (!claim.isHeld()) {
                if (!first.asked) {
                    first.asked = true;
                    turn.claim(first.claimant);
                }
                return;
            }
            take(first);
            if (claim.isHeldBy(first.connection(), first.claimant.clientId())) {
                applyAsHolder(turn, first.frame, first.receipt);
            } else {
                String sentence = held(channel.name, claim.holderClientId(), claim.term());
                first.receipt.nack(turn, ErrorCode.CLAIM_HELD.because(sentence));
            }
        }
    }

    private void applyAsHolder(Turn turn, PresenceFrame frame, Receipt receipt) {
        events.apply(turn, frame);
        armBeat(frame.channel());
        receipt.ack(turn);
    }

    /** Holds the holder to its promise. The timer is set anew when it is due, not with every frame. */
    private void armBeat(Channel channel) {
        ChannelClaim claim = channel.claim;
        if (claim.beat != null) {
            timers.cancel(claim.beat);
            claim.beat = null;
        }
        Member holder = channel.claim.holder(channel);
        OptionalLong ttlMillis =
                holder == null || holder.claim == null ? OptionalLong.empty() : holder.claim.ttlMillis();
        if (holder == null || ttlMillis.isEmpty()) {
            return;
        }
        long ttlNanos = ttlMillis.getAsLong() * 1_000_000;
        claim.beat = timers.set(holder.connection.lastReceivedNanos + ttlNanos, later -> {
            claim.beat = null;
            if (later.nanos() - holder.connection.lastReceivedNanos < ttlNanos) {
                armBeat(channel);
            } else {
                Claimant former = claim.end(timers);
                events.demote(later, holder);
                later.release(former);
            }
        });
    }

    /** The one the store is being asked about, if it is this claimant. */
    private @Nullable WaitingClaim asked(Claimant claimant) {
        Channel channel = channels.find(claimant.channel());
        WaitingClaim first = channel == null ? null : channel.claim.waiting.peek();
        return first != null && first.asked && first.claimant.equals(claimant) ? first : null;
    }

    private void giveUp(Turn turn, WaitingClaim waiting, ErrorInfo error) {
        take(waiting);
        if (waiting.asked) {
            turn.release(waiting.claimant);
        }
        waiting.receipt.nack(turn, error);
    }

    private void take(WaitingClaim waiting) {
        waiting.channel().claim.waiting.remove(waiting);
        waiting.connection().waitingClaims.remove(waiting);
        if (waiting.timeout != null) {
            timers.cancel(waiting.timeout);
            waiting.timeout = null;
        }
    }

    private boolean hasRoom(PresenceFrame frame) {
        var newcomers = new ArrayList<String>();
        for (PresenceFrame.Entry entry : frame.entries()) {
            if (!entry.leaves()
                    && frame.channel().member(frame.connection(), entry.clientId()) == null
                    && !newcomers.contains(entry.clientId())) {
                newcomers.add(entry.clientId());
            }
        }
        return newcomers.isEmpty()
                || frame.channel().members.size() + newcomers.size() <= settings.maxMembersPerChannel();
    }

    private Refusal full(PresenceFrame frame) {
        return new Refusal(
                ErrorCode.TOO_MANY_MEMBERS,
                "channel " + Quote.of(frame.channel().name) + " has "
                        + frame.channel().members.size() + " members; at most " + settings.maxMembersPerChannel()
                        + " may be present");
    }

    private static String held(String channel, String holder, long term) {
        return "claim on " + Quote.of(channel) + " is held by " + Quote.of(holder) + " in term " + term;
    }
}
