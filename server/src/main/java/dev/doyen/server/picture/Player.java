package dev.doyen.server.picture;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ring.RingMachine;
import dev.doyen.ring.RingState;
import dev.doyen.ring.RingStep;
import org.jspecify.annotations.Nullable;

/** A member of a recorded world: a machine and its state. */
final class Player {

    /** So many incarnations are tried; of 64 members one in 64 fits. */
    private static final int MAX_TRIES = 100_000;

    final int place;
    final Member me;
    final RingMachine machine;
    RingState state;
    boolean crashed;
    /** Which side of the network it is on, while that is parted. */
    int side;
    /** The view that its membership has told it last. */
    @Nullable
    View told;
    /** Wakes that were owed before the last step are owed no more. */
    long steps;

    Player(int place, Member me, RingMachine machine) {
        this.place = place;
        this.me = me;
        this.machine = machine;
        this.state = machine.begin(me);
    }

    void after(RingStep step) {
        state = step.next();
        steps++;
    }

    /** A member of this number whose hash puts it in its place (rule R1): nothing in the machine is bent for it. */
    static Member memberAt(int place, int n, int number) {
        for (int i = 0; i < MAX_TRIES; i++) {
            var member = new Member(Integer.toString(number), Integer.toString(i));
            if ((View.position(member) >>> 1) / (Long.MAX_VALUE / n + 1) == place) {
                return member;
            }
        }
        throw new IllegalStateException("no incarnation of " + number + " is at place " + place + " of " + n);
    }
}
