package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Members in a wanted order on the ring, though that is the order of their hashes (R1): incarnations are tried until the
 * hash falls where it should. Nothing in the machine is bent for it.
 */
final class Orders {

    private final Member[][] atSlot;

    /** For rings of {@code n}: each member can be had at each of n slots. */
    Orders(int n) {
        atSlot = new Member[n][n];
        for (int rank = 0; rank < n; rank++) {
            for (int slot = 0; slot < n; slot++) {
                atSlot[rank][slot] = memberAt(rank, slot, n);
            }
        }
    }

    /** Each order of the members once, the keys' ranks from 0 (the winner's) being in the order of the ring. */
    void forEach(Consumer<List<Member>> use) {
        permute(new int[atSlot.length], 0, new boolean[atSlot.length], use);
    }

    /** The member whose key is the greatest has rank 0. */
    List<Member> of(int... rankAtSlot) {
        var members = new ArrayList<Member>();
        for (int slot = 0; slot < rankAtSlot.length; slot++) {
            members.add(atSlot[rankAtSlot[slot]][slot]);
        }
        return members;
    }

    /** Members whose hashes, and with them their order, are as random as SHA-256 makes them. */
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
