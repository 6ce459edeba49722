package dev.doyen.hub;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The answers a connection is owed, and those it was given.
 *
 * <p>Answers leave in the order the frames came: one that waits for a claim holds back those behind it. Given answers
 * are kept, the newest {@code storedLimit} of them, because a client that resumes sends every frame again whose answer
 * it did not see, and must not be served twice.
 */
final class Acks {

    /** What most answers are, but for the serial. */
    private static final ProtocolMessage BARE =
            ProtocolMessage.builder(Action.ACK).count(1).build();

    private final int storedLimit;
    private final Set<Receipt> owed = new FewSet<>();
    /** By serial, and without it. */
    private final Map<Long, ProtocolMessage> given = new FewMap<>();

    private long lastSerial = -1;
    /** Serials lower than the last whose frames did not happen, as far as all nodes know. */
    private Set<Long> missing = Set.of();

    Acks(int storedLimit) {
        this.storedLimit = storedLimit;
    }

    /** How many answers wait behind one that cannot be given yet, that one included. */
    int held() {
        return owed.size();
    }

    /** Whether this serial, or a later one, has been received before. */
    boolean isRepeated(long msgSerial) {
        return msgSerial <= lastSerial && !missing.contains(msgSerial);
    }

    /** Goes on from what another node has answered. */
    void restore(SortedMap<Long, ProtocolMessage> answers) {
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

    Receipt open(Connection connection, long msgSerial) {
        lastSerial = Math.max(lastSerial, msgSerial);
        if (!missing.isEmpty()) {
            missing.remove(msgSerial);
        }
        var receipt = new Receipt(connection, msgSerial);
        owed.add(receipt);
        return receipt;
    }

    /** The answer to a repeated frame: the one given before, none yet if it is still owed. */
    Optional<ProtocolMessage> repeat(long msgSerial) {
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

    /** Gives every answer that no earlier one holds back. */
    void flush(Turn turn, Connection connection) {
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
            turn.send(connection, answer);
        }
    }

    private void keep(long msgSerial, ProtocolMessage answer) {
        ProtocolMessage unnumbered = answer.toBuilder().msgSerial(null).build();
        given.put(msgSerial, unnumbered.equals(BARE) ? BARE : unnumbered);
    }
}
