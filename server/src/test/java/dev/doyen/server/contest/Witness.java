package dev.doyen.server.contest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one observer heard of the channel, in its order; what that order must be like is checked as it comes. Who goes back to
 * the same hub, or to the same node of it, never hears of an older term there than before, whatever it missed.
 *
 * <p>Threads and errors: as {@link Ledger}'s.
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

    /** It heard of this member, with a term if it leads. */
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

    /** It heard a publish. */
    void heard(String id, long fence, String author) {
        ledger.heard(id, fence, author);
        Ledger.check(heard.add(id), id + " was published twice, to " + name);
        Ledger.check(
                fence >= newestHeard,
                "interleaved, to " + name + ": " + id + " with fence " + fence + " came after fence " + newestHeard);
        newestHeard = fence;
        stretches.get(stretches.size() - 1).add(id);
    }

    /** It goes on without a gap in what is published; who leads will be told again. */
    void goesOn() {
        leading.clear();
    }

    /** It starts to listen anew where it listened before, and may have missed something. */
    void deaf() {
        leading.clear();
        stretches.add(new ArrayList<>());
    }

    /** It starts to listen anew elsewhere, where less may be known yet. */
    void elsewhere() {
        deaf();
        heard.clear();
        newestTerm = 0;
        newestHeard = 0;
    }

    /** What it heard, in pieces between which it may have missed something. */
    List<List<String>> stretches() {
        return stretches;
    }
}
