package dev.doyen.hub;

import dev.doyen.event.HandOverState;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.List;

/**
 * Hand-over state: what holders save, and what the next one is told (rule C17).
 *
 * <p>A save is acknowledged once the store has it, and saves of a claim are stored in the order they came; so none that
 * was acknowledged is ever overtaken by an older one.
 */
final class States {

    /** Each may be 64 KiB, and the store is asked for the newest only. */
    private static final int MAX_WAITING = 16;

    private final HubSettings settings;
    private final Timers timers;
    private final Channels channels;

    States(HubSettings settings, Timers timers, Channels channels) {
        this.settings = settings;
        this.timers = timers;
        this.channels = channels;
    }

    static boolean isSave(Message message) {
        return SavedState.MESSAGE_NAME.equals(message.name());
    }

    /** Asks the store to keep what the holder of this claim says. The answer comes with {@link #saved}. */
    void save(Turn turn, Receipt receipt, SlotClaim claim, Message message) throws Refusal {
        if (claim.saves.size() >= MAX_WAITING) {
            throw new Refusal(
                    ErrorCode.RATE_LIMITED,
                    claim.saves.size() + " saves wait for the store already; wait for an answer first");
        }
        HandOverState state = new SavedState(claim.term(), message.data(), message.encoding()).packed();
        var save = new SlotClaim.Save(claim.nextSave(), receipt, state);
        claim.saves.add(save);
        save.timeout = timers.set(turn.nanos() + settings.claimTimeout().toNanos(), later -> {
            // It stays known: the store may keep it after all.
            save.timeout = null;
            save.receipt.nack(
                    later,
                    ErrorCode.UNAVAILABLE.because("the state was not stored within "
                            + settings.claimTimeout().toMillis() + " ms; whether it will be is not known"));
        });
        turn.save(claim.claimant(), claim.term(), save.number, state);
    }

    /** The store has all saves of this claim up to this number. */
    void saved(Turn turn, Claimant claimant, long term, long number) {
        Channel channel = channels.find(claimant.channel());
        SlotClaim claim = channel == null ? null : channel.claims.find(claimant.slot());
        if (claim == null
                || !claim.isHeld()
                || claim.term() != term
                || !claim.claimant().equals(claimant)) {
            return;
        }
        while (!claim.saves.isEmpty() && claim.saves.element().number <= number) {
            SlotClaim.Save save = claim.saves.remove();
            claim.state = save.state;
            if (save.timeout != null) {
                timers.cancel(save.timeout);
                save.timeout = null;
                save.receipt.ack(turn, List.of(claim.slot + "@" + term + ":" + save.number));
            }
        }
    }

    /** Tells the holder what it is to go on from, on every attachment of its connection. */
    void tell(Turn turn, Channel channel, SlotClaim claim, Connection holder) {
        for (Attachment attachment : holder.attachments.values()) {
            if (attachment.channel == channel) {
                tell(turn, attachment, claim);
            }
        }
    }

    /** Tells who has attached what its claims on the channel are to go on from: it may have missed it. */
    void tell(Turn turn, Attachment attachment) {
        for (SlotClaim claim : attachment.channel.claims.heldBy(attachment.connection)) {
            tell(turn, attachment, claim);
        }
    }

    private static void tell(Turn turn, Attachment attachment, SlotClaim claim) {
        if (!attachment.has(Flags.SUBSCRIBE)) {
            return;
        }
        SavedState.of(claim.state)
                .ifPresent(state -> turn.send(
                        attachment.connection,
                        ProtocolMessage.builder(Action.MESSAGE)
                                .id("state-" + claim.slot + "@" + claim.term())
                                .channel(attachment.spelling)
                                .timestamp(turn.wallMillis())
                                .messages(List.of(state.message(claim.slot)))
                                .build()));
    }

    /** Refuses saves that come with anything else, or without a fence. */
    static void check(List<Message> messages, String channel) throws Refusal {
        if (messages.size() != 1) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "a frame that saves has one message, named " + SavedState.MESSAGE_NAME + "; this has "
                            + messages.size());
        }
        if (Extras.term(messages.get(0).extras()) == null) {
            throw new Refusal(
                    ErrorCode.FENCED,
                    "only who holds a claim on " + Quote.of(channel) + " saves, with its term in extras.headers[\""
                            + Extras.TERM_HEADER + "\"]");
        }
    }
}
