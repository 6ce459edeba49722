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
 * The ACKs and NACKs of one connection, sent and pending.
 *
 * <p>Answers leave in the order in which the frames arrived. An answer that waits for a claim delays the answers after
 * it. The newest {@code storedLimit} sent answers are stored. A client that resumes sends every frame again whose
 * answer it did not receive, and the hub must not apply such a frame twice.
 */
public final class Acks {

    /** The most common answer, without its serial. */
    private static final ProtocolMessage BARE =
            ProtocolMessage.builder(Action.ACK).count(1).build();

    private final int storedLimit;
    private final Set<Receipt> owed = new FewSet<>();
    /** Sent answers by msgSerial; the stored frames have no msgSerial. */
    private final Map<Long, ProtocolMessage> given = new FewMap<>();

    private long lastSerial = -1;
    /** Serials below {@code lastSerial} without an answer in the log, so their frames were not applied. */
    private Set<Long> missing = Set.of();

    Acks(int storedLimit) {
        this.storedLimit = storedLimit;
    }

    /** Number of pending answers: the first one that is not decided yet, and all behind it. */
    public int held() {
        return owed.size();
    }

    /** Whether a frame is repeated. It is if this or a later serial was received, unless this one is missing. */
    public boolean isRepeated(long msgSerial) {
        return msgSerial <= lastSerial && !missing.contains(msgSerial);
    }

    /** Takes over the answers that another node has given on this connection. */
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

    public Receipt open(Connection connection, long msgSerial) {
        lastSerial = Math.max(lastSerial, msgSerial);
        if (!missing.isEmpty()) {
            missing.remove(msgSerial);
        }
        var receipt = new Receipt(connection, msgSerial);
        owed.add(receipt);
        return receipt;
    }

    /** Returns the stored answer to a repeated frame. Empty if the answer is still pending. */
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

    /** Sends every answer that does not wait behind a pending one. */
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
