package dev.doyen.demo.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ring.RingMachine;
import dev.doyen.ring.RingState;
import dev.doyen.ring.RingStep;
import org.jspecify.annotations.Nullable;

/** A member of a recorded election: a ring machine and its state. */
final class RecordedMember {

    /**
     * The maximum number of incarnations to try. With 64 members, one incarnation in 64 yields the requested
     * position.
     */
    private static final int MAX_TRIES = 100_000;

    final int place;
    final Member me;
    final RingMachine machine;
    RingState state;
    boolean crashed;
    /** The side of the network partition on which the member is. */
    int side;
    /** The last view that the membership announced to this member. */
    @Nullable
    View announced;
    /**
     * The number of completed steps. A wake-up is ignored if the member has completed another step after it requested
     * the wake-up.
     */
    long steps;

    RecordedMember(int place, Member me, RingMachine machine) {
        this.place = place;
        this.me = me;
        this.machine = machine;
        this.state = machine.begin(me);
    }

    void after(RingStep step) {
        state = step.next();
        steps++;
    }

    /**
     * Finds an incarnation of member {@code number} whose hash yields this ring position (rule R1).
     *
     * <p>The method tries incarnations until one yields the position. So the ring machine needs no special case.
     */
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
