package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.store.ElectionNames;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The voters of a ring in quorum mode: a fixed set of member ids, the same for all members (rule Q1 of docs/spec/ring.md). A
 * leader needs the grants of more than half of them. A voter is known by its id, whichever incarnation it runs in.
 * Immutable.
 */
public final class Electorate {

    /** More are refused: nothing is gained by the sixteenth, and each must be asked. */
    public static final int MAX_VOTERS = 15;

    private final List<String> voters;

    private Electorate(List<String> voters) {
        this.voters = voters;
    }

    /**
     * The voters of these ids.
     *
     * @throws IllegalArgumentException if there are none or more than {@value #MAX_VOTERS}, if their number is even, or if one is
     *     named twice
     */
    public static Electorate of(Collection<String> ids) {
        ids.forEach(id -> ElectionNames.check("voter", id));
        // By bytes, like members: a voter's place must be the same in any language.
        List<String> sorted = ids.stream()
                .sorted(Comparator.comparing(id -> new Member(id, "-")))
                .toList();
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).equals(sorted.get(i - 1))) {
                throw new IllegalArgumentException(
                        "voter \"" + sorted.get(i) + "\" is named twice; name each once, for each has one vote");
            }
        }
        int count = sorted.size();
        if (count == 0 || count > MAX_VOTERS) {
            throw new IllegalArgumentException(count + " voters are named; name 1 to " + MAX_VOTERS
                    + ", best 3 or 5: who is no voter can still lead");
        }
        if (count % 2 == 0) {
            throw new IllegalArgumentException(count + " voters are named; name an odd number: " + count
                    + " can lose no more of them than " + (count - 1) + " can, and there is one more to be lost");
        }
        return new Electorate(sorted);
    }

    /** Their ids, in the order of their bytes. */
    public List<String> voters() {
        return voters;
    }

    /** How many must grant. */
    public int quorum() {
        return voters.size() / 2 + 1;
    }

    /** Those of a view that count, by {@link #bitOf}: whoever is there twice does not, for it must not vote twice. */
    public int votersIn(View view) {
        Map<String, Integer> present = new HashMap<>();
        view.members().forEach(member -> present.merge(member.id(), 1, Integer::sum));
        int those = 0;
        for (String voter : voters) {
            if (present.getOrDefault(voter, 0) == 1) {
                those |= bitOf(voter);
            }
        }
        return those;
    }

    /** Whether those voters are enough. */
    public boolean isQuorum(int those) {
        return Integer.bitCount(those) >= quorum();
    }

    /** The voter's place in a set of voters, the first is 1, the next 2, then 4; 0 for who is no voter. */
    public int bitOf(String id) {
        int place = voters.indexOf(id);
        return place < 0 ? 0 : 1 << place;
    }

    /** The greatest set of voters: all of them. */
    int all() {
        return (1 << voters.size()) - 1;
    }

    /** Tells this electorate from others, on the wire. Between 0 and 2^62. */
    long fingerprint() {
        return View.hash(String.join("\0", voters)) >>> 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Electorate that && voters.equals(that.voters);
    }

    @Override
    public int hashCode() {
        return voters.hashCode();
    }

    @Override
    public String toString() {
        return "voters " + voters;
    }
}
