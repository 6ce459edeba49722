package dev.doyen.hub.claim;

import dev.doyen.event.SavedState;
import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Receipt;
import dev.doyen.hub.channel.SlotClaim;
import dev.doyen.hub.content.ClaimState;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.List;

/**
 * Saves the state of holders and delivers it to the next holders (rule C17).
 *
 * <p>The hub acknowledges a save when the store has stored it. The store receives the saves of a claim in order, so an
 * older save never replaces an acknowledged save.
 */
public final class States {

    /**
     * The maximum number of waiting saves of a claim. Each save can have 64 KiB, and the store needs only the newest
     * save.
     */
    private static final int MAX_WAITING = 16;

    private final HubSettings settings;
    private final Timers timers;
    private final Channels channels;

    public States(HubSettings settings, Timers timers, Channels channels) {
        this.settings = settings;
        this.timers = timers;
        this.channels = channels;
    }

    public static boolean isSave(Message message) {
        return ClaimState.MESSAGE_NAME.equals(message.name());
    }

    /**
     * Asks the store to save the state in a holder's message. The hub answers the message when {@link #saved} is
     * called. If the claim ends or the claim timeout expires before that call, the hub answers with an error.
     *
     * <p>The method throws a {@link Refusal} if too many saves wait, or if the state is too large.
     */
    public void save(StepContext step, Receipt receipt, SlotClaim claim, Message message) throws Refusal {
        if (claim.saves.size() >= MAX_WAITING) {
            throw new Refusal(
                    ErrorCode.RATE_LIMITED,
                    claim.saves.size() + " saves already wait for the store; wait for an answer first");
        }
        SavedState state = new ClaimState(claim.term(), message.data(), message.encoding()).packed();
        var save = new SlotClaim.Save(claim.nextSave(), receipt, state);
        claim.saves.add(save);
        save.timeout = timers.set(step.nanos() + settings.claimTimeout().toNanos(), later -> {
            // The save stays in the queue, because the store can still complete it.
            save.timeout = null;
            save.receipt.nack(
                    later,
                    ErrorCode.UNAVAILABLE.because("the state was not stored within "
                            + settings.claimTimeout().toMillis() + " ms; the store may still write it"));
        });
        step.save(claim.claimant(), claim.term(), save.number, state);
    }

    /** Handles the store's confirmation of all saves of a claim up to {@code number}. */
    public void saved(StepContext step, Claimant claimant, long term, long number) {
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
                save.receipt.ack(step, List.of(claim.slot + "@" + term + ":" + save.number));
            }
        }
    }

    /**
     * Sends the saved state to the holder on its attachments to the channel. Attachments without the mode {@code
     * subscribe} receive nothing.
     */
    public void send(StepContext step, Channel channel, SlotClaim claim, Connection holder) {
        for (Attachment attachment : holder.attachments.values()) {
            if (attachment.channel == channel) {
                send(step, attachment, claim);
            }
        }
    }

    /**
     * Sends the saved state of each claim that the connection holds on the channel of this attachment. The connection
     * has possibly missed the message that first delivered the state.
     */
    public void send(StepContext step, Attachment attachment) {
        for (SlotClaim claim : attachment.channel.claims.heldBy(attachment.connection)) {
            send(step, attachment, claim);
        }
    }

    private static void send(StepContext step, Attachment attachment, SlotClaim claim) {
        if (!attachment.has(Flags.SUBSCRIBE)) {
            return;
        }
        ClaimState.of(claim.state)
                .ifPresent(state -> step.send(
                        attachment.connection,
                        ProtocolMessage.builder(Action.MESSAGE)
                                .id("state-" + claim.slot + "@" + claim.term())
                                .channel(attachment.spelling)
                                .timestamp(step.wallMillis())
                                .messages(List.of(state.message(claim.slot)))
                                .build()));
    }

    /** Throws a {@link Refusal} if a save has no fence, or if its frame contains other messages. */
    public static void check(List<Message> messages, String channel) throws Refusal {
        if (messages.size() != 1) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "a frame that saves has one message, named " + ClaimState.MESSAGE_NAME + "; this has "
                            + messages.size());
        }
        if (Extras.term(messages.get(0).extras()) == null) {
            throw new Refusal(
                    ErrorCode.FENCED,
                    "only the holder of a claim on " + Quote.of(channel) + " saves, with its term in extras.headers[\""
                            + Extras.TERM_HEADER + "\"]");
        }
    }
}
