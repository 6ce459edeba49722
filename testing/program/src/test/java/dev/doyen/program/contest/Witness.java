package dev.doyen.program.contest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages that one observer of the channel received, in order. The witness checks each message at once.
 *
 * <p>If an observer returns to the same hub or node, the observer must not receive a lower term there than before. The
 * rule also applies if the observer has missed messages.
 *
 * <p>Threads and errors: as in {@link Ledger}.
 */
final class Witness {

    private final Ledger ledger;
    private final String name;
    private final Set<String> leading = new HashSet<>();
    private final Set<String> delivered = new HashSet<>();
    private final List<List<String>> stretches = new ArrayList<>();
    private long newestTerm;
    private long newestReceived;

    Witness(Ledger ledger, String name) {
        this.ledger = ledger;
        this.name = name;
        mayHaveMissed();
    }

    /** Records the presence of a member. The term is null if the member does not lead. */
    void reported(String member, @Nullable Long term) {
        leading.remove(member);
        if (term == null) {
            return;
        }
        ledger.granted(term, member);
        Ledger.check(
                leading.isEmpty(), "two leaders at " + name + ": " + leading + " and " + member + " in term " + term);
        Ledger.check(
                term >= newestTerm,
                "the term decreased at " + name + ": " + member + " leads in term " + term + " after " + newestTerm);
        newestTerm = term;
        leading.add(member);
    }

    /** Records a received publish. */
    void delivered(String id, long fence, String author) {
        ledger.delivered(id, fence, author);
        Ledger.check(delivered.add(id), id + " was published twice at " + name);
        Ledger.check(
                fence >= newestReceived,
                "interleaved at " + name + ": " + id + " with fence " + fence + " came after fence " + newestReceived);
        newestReceived = fence;
        stretches.get(stretches.size() - 1).add(id);
    }

    /** Records that the observer continues without a gap in the publishes. The hub then reports the leader again. */
    void goesOn() {
        leading.clear();
    }

    /** Records that the observer continues at the same node, but may have missed messages. */
    void mayHaveMissed() {
        leading.clear();
        stretches.add(new ArrayList<>());
    }

    /** Records that the observer continues at another node, which may have received fewer messages. */
    void elsewhere() {
        mayHaveMissed();
        delivered.clear();
        newestTerm = 0;
        newestReceived = 0;
    }

    /** Returns the received publishes as lists without gaps. */
    List<List<String>> stretches() {
        return stretches;
    }
}
