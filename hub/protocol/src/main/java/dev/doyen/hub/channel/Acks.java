package dev.doyen.hub.channel;

import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The sent and pending answers of one connection. An answer is an ACK or a NACK.
 *
 * <p>The hub sends answers in the order in which the frames arrived. An answer that waits for a claim delays the
 * answers after it. A client that resumes repeats every frame for which it received no answer. The hub must not apply
 * such a frame twice, so it stores the newest {@code storedLimit} sent answers.
 */
public final class Acks {

    /** An ACK without a serial, which is the most common answer. */
    private static final ProtocolMessage BARE =
            ProtocolMessage.builder(Action.ACK).count(1).build();

    private final int storedLimit;
    private final Set<Receipt> owed = new FewSet<>();
    /** The sent answers by msgSerial. The stored answers themselves contain no msgSerial. */
    private final Map<Long, ProtocolMessage> given = new FewMap<>();

    private long lastSerial = -1;
    /**
     * The missing serials among the newest {@code storedLimit} serials. A serial is missing if the log contained no
     * answer to its frame when the connection moved to this node. No node has applied the frames with these serials.
     */
    private Set<Long> missing = Set.of();

    Acks(int storedLimit) {
        this.storedLimit = storedLimit;
    }

    /**
     * Returns the number of pending answers. The pending answers are the first undecided answer and all answers after
     * it.
     */
    public int held() {
        return owed.size();
    }

    /**
     * Returns true if a frame is repeated. A frame is repeated if the hub has received this serial or a later one,
     * unless this serial is missing.
     */
    public boolean isRepeated(long msgSerial) {
        return msgSerial <= lastSerial && !missing.contains(msgSerial);
    }

    /** Adds the answers that another node has sent on this connection. */
    public void restore(SortedMap<Long, ProtocolMessage> answers) {
        answers.forEach(this::keep);
        if (!answers.isEmpty()) {
            missing = new HashSet<>();
            lastSerial = answers.lastKey();
            for (long serial = Math.max(0, lastSerial - storedLimit + 1); serial < lastSerial; serial++) {
                if (!answers.containsKey(serial)) {
                    missing.add(serial);
                }
            }
        }
    }

    /** Registers a new frame that requires an answer. The caller must answer through the result. */
    public Receipt open(Connection connection, long msgSerial) {
        lastSerial = Math.max(lastSerial, msgSerial);
        if (!missing.isEmpty()) {
            missing.remove(msgSerial);
        }
        var receipt = new Receipt(connection, msgSerial);
        owed.add(receipt);
        return receipt;
    }

    /**
     * Returns the stored answer to a repeated frame. The result is empty if the answer is still pending.
     *
     * <p>If the answer is no longer stored, the result is a NACK.
     */
    public Optional<ProtocolMessage> repeat(long msgSerial) {
        ProtocolMessage stored = given.get(msgSerial);
        if (stored != null) {
            return Optional.of(stored.toBuilder().msgSerial(msgSerial).build());
        }
        for (Receipt receipt : owed) {
            if (receipt.msgSerial == msgSerial) {
                return Optional.empty();
            }
        }
        return Optional.of(Receipt.nack(
                msgSerial,
                ErrorCode.BAD_REQUEST.because("msgSerial " + msgSerial + " comes after " + lastSerial
                        + ", and its answer is not among the last " + storedLimit + " kept")));
    }

    /** Sends the decided answers, up to the first undecided answer. */
    void flush(StepContext step, Connection connection) {
        while (!owed.isEmpty()) {
            Receipt first = owed.iterator().next();
            ProtocolMessage answer = first.answer();
            if (answer == null) {
                return;
            }
            owed.remove(first);
            keep(first.msgSerial, answer);
            if (given.size() > storedLimit) {
                given.remove(given.keySet().iterator().next());
            }
            step.send(connection, answer);
        }
    }

    private void keep(long msgSerial, ProtocolMessage answer) {
        ProtocolMessage unnumbered = answer.toBuilder().msgSerial(null).build();
        given.put(msgSerial, unnumbered.equals(BARE) ? BARE : unnumbered);
    }
}
