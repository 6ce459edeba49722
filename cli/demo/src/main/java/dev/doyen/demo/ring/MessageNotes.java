package dev.doyen.demo.ring;

import dev.doyen.demo.ring.RecordedEvent.Fate;
import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingMessage;
import dev.doyen.ring.RingStep;
import java.util.function.Predicate;

/** Derives the kind, the subject and the fate of a message for a recording. */
final class MessageNotes {

    private MessageNotes() {}

    static RecordedEvent.Sent sent(long atMillis, int id, int from, int to, Member sender, RingMessage message) {
        long round = message instanceof RingMessage.OfRound ofRound ? ofRound.round() : 0;
        int phase = 0;
        boolean second = false;
        if (message instanceof RingMessage.Compare compare) {
            phase = compare.phase();
            second = compare.second();
        }
        return new RecordedEvent.Sent(
                atMillis,
                id,
                kind(message),
                from,
                to,
                Integer.parseInt(subject(sender, message).id()),
                message.view().number(),
                round,
                phase,
                second);
    }

    /**
     * Returns true if the message helps to elect a leader. Heartbeats, rejections and messages about a member's state
     * do not.
     */
    static boolean elects(RingMessage message) {
        return message instanceof RingMessage.OfContest
                || message instanceof RingMessage.Chosen
                || message instanceof RingMessage.Elected;
    }

    static Fate fate(Member receiver, RingMessage message, RingStep step) {
        for (RingEffect effect : step.effects()) {
            if (effect instanceof RingEffect.Dropped dropped
                    && dropped.message().equals(message)) {
                return Fate.DROPPED;
            }
        }
        if (message instanceof RingMessage.Nack
                || message instanceof RingMessage.StateRequest
                || message instanceof RingMessage.StateResponse) {
            return Fate.STOPPED;
        }
        boolean isOfItsView = step.next()
                .view()
                .filter(view -> view.id().equals(message.view()))
                .isPresent();
        if (!isOfItsView) {
            return Fate.HELD;
        }
        // A Compare message never has the fate HOME. When the message reaches the member in the message's key, that
        // member can already represent another key.
        if (!(message instanceof RingMessage.Compare)
                && subject(receiver, message).equals(receiver)) {
            return Fate.HOME;
        }
        return sendsOn(step, message) ? Fate.PASSED : Fate.STOPPED;
    }

    private static boolean sendsOn(RingStep step, RingMessage message) {
        return step.effects().stream()
                .anyMatch(effect -> effect instanceof RingEffect.Send send
                        && isSame(message).test(send.message()));
    }

    /**
     * Returns a predicate that matches this message after it was forwarded. Forwarding changes only the term of a
     * message.
     */
    private static Predicate<RingMessage> isSame(RingMessage message) {
        if (message instanceof RingMessage.Elect elect) {
            return sent -> sent instanceof RingMessage.Elect other
                    && other.key().equals(elect.key())
                    && other.attempt() == elect.attempt();
        }
        if (message instanceof RingMessage.Compare compare) {
            return sent -> sent instanceof RingMessage.Compare other
                    && other.key().equals(compare.key())
                    && other.phase() == compare.phase()
                    && other.second() == compare.second();
        }
        if (message instanceof RingMessage.Chosen) {
            return sent -> sent instanceof RingMessage.Chosen;
        }
        return message::equals;
    }

    private static String kind(RingMessage message) {
        if (message instanceof RingMessage.Elect elect) {
            return elect.attempt() > 1 ? "retry" : "elect";
        }
        if (message instanceof RingMessage.Compare) {
            return "compare";
        }
        if (message instanceof RingMessage.Chosen) {
            return "chosen";
        }
        if (message instanceof RingMessage.Elected) {
            return "elected";
        }
        if (message instanceof RingMessage.Heartbeat) {
            return "heartbeat";
        }
        if (message instanceof RingMessage.Nack) {
            return "nack";
        }
        if (message instanceof RingMessage.StateRequest || message instanceof RingMessage.StateResponse) {
            return "state";
        }
        throw new IllegalStateException("no kind is known for " + message);
    }

    /** Returns the member that the message is about. Returns {@code otherwise} if the message is about no member. */
    private static Member subject(Member otherwise, RingMessage message) {
        if (message instanceof RingMessage.Elect elect) {
            return elect.key().member();
        }
        if (message instanceof RingMessage.Compare compare) {
            return compare.key().member();
        }
        if (message instanceof RingMessage.Chosen chosen) {
            return chosen.winner();
        }
        Member leader = message instanceof RingMessage.OfLeader heartbeat
                ? heartbeat.term().creator()
                : null;
        return leader == null ? otherwise : leader;
    }
}
