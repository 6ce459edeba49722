package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Returns members in any required ring order, although the hashes of the members determine the order (R1).
 *
 * <p>The hash of a member depends on its incarnation. The class tries incarnations until the member has the required
 * position, so the tests run the unchanged machine.
 */
final class Permutations {

    private final Member[][] atSlot;

    /**
     * Prepares rings of {@code n} members. For each member, the constructor finds one incarnation at each of the n
     * positions.
     */
    Permutations(int n) {
        atSlot = new Member[n][n];
        for (int rank = 0; rank < n; rank++) {
            for (int slot = 0; slot < n; slot++) {
                atSlot[rank][slot] = memberAt(rank, slot, n);
            }
        }
    }

    /** Calls {@code use} with each order of the members once. */
    void forEach(Consumer<List<Member>> use) {
        permute(new int[atSlot.length], 0, new boolean[atSlot.length], use);
    }

    /** Returns the members in ring order. The member of rank 0 has the greatest key. */
    List<Member> of(int... rankAtSlot) {
        var members = new ArrayList<Member>();
        for (int slot = 0; slot < rankAtSlot.length; slot++) {
            members.add(atSlot[rankAtSlot[slot]][slot]);
        }
        return members;
    }

    /** Returns members whose ring order is random. Their random incarnations determine their hashes. */
    static List<Member> random(int n, Random random) {
        var members = new ArrayList<Member>();
        for (int rank = 0; rank < n; rank++) {
            members.add(new Member(name(rank), Long.toHexString(random.nextLong())));
        }
        return members;
    }

    private void permute(int[] ranks, int slot, boolean[] used, Consumer<List<Member>> use) {
        if (slot == ranks.length) {
            use.accept(of(Arrays.copyOf(ranks, slot)));
            return;
        }
        for (int rank = 0; rank < ranks.length; rank++) {
            if (!used[rank]) {
                used[rank] = true;
                ranks[slot] = rank;
                permute(ranks, slot + 1, used, use);
                used[rank] = false;
            }
        }
    }

    private static Member memberAt(int rank, int slot, int n) {
        for (int i = 0; ; i++) {
            var member = new Member(name(rank), Integer.toString(i));
            if ((View.position(member) >>> 1) / (Long.MAX_VALUE / n + 1) == slot) {
                return member;
            }
        }
    }

    private static String name(int rank) {
        return "m" + (10_000 + rank);
    }
}
