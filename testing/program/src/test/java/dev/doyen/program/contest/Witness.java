package dev.doyen.program.contest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The record of one observer of the channel, in order; each entry is checked at once.
 *
 * <p>An observer that returns to the same hub or node never receives an older term there than before, even if it has
 * missed messages.
 *
 * <p>Threads and errors: as in {@link Ledger}.
 */
final class Witness {

    private final Ledger ledger;
    private final String name;
    private final Set<String> leading = new HashSet<>();
    private final Set<String> heard = new HashSet<>();
    private final List<List<String>> stretches = new ArrayList<>();
    private long newestTerm;
    private long newestHeard;

    Witness(Ledger ledger, String name) {
        this.ledger = ledger;
        this.name = name;
        deaf();
    }

    /** Received the presence of a member, with a term if it leads. */
    void told(String member, @Nullable Long term) {
        leading.remove(member);
        if (term == null) {
            return;
        }
        ledger.granted(term, member);
        Ledger.check(
                leading.isEmpty(), "two lead, to " + name + ": " + leading + " and " + member + " in term " + term);
        Ledger.check(
                term >= newestTerm,
                "terms fell, to " + name + ": " + member + " leads in term " + term + " after term " + newestTerm);
        newestTerm = term;
        leading.add(member);
    }

    /** Received a publish. */
    void heard(String id, long fence, String author) {
        ledger.heard(id, fence, author);
        Ledger.check(heard.add(id), id + " was published twice, to " + name);
        Ledger.check(
                fence >= newestHeard,
                "interleaved, to " + name + ": " + id + " with fence " + fence + " came after fence " + newestHeard);
        newestHeard = fence;
        stretches.get(stretches.size() - 1).add(id);
    }

    /** Continues without a gap in the publishes; the hub sends the leader again. */
    void goesOn() {
        leading.clear();
    }

    /** Continues at the same place, but may have missed something. */
    void deaf() {
        leading.clear();
        stretches.add(new ArrayList<>());
    }

    /** Continues at another node, which may know less. */
    void elsewhere() {
        deaf();
        heard.clear();
        newestTerm = 0;
        newestHeard = 0;
    }

    /** The received publishes, in pieces without gaps. */
    List<List<String>> stretches() {
        return stretches;
    }
}
