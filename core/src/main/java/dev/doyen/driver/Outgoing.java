package dev.doyen.driver;

import dev.doyen.driver.MembershipContest.Send;
import dev.doyen.membership.Membership;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What a loop says to other members, in order. Stop before sending: after a leadership has ended it waits until the work has
 * stopped; but not longer than the leadership could have lasted, so that work which does not stop cannot hold the others.
 *
 * <p>Threads: the loop's only.
 */
final class Outgoing {

    /** So many messages wait for the work to stop; then the oldest are lost. */
    private static final int MAX_HELD = 1_000;

    private final Threads threads;
    private final String election;
    private final Membership membership;
    private final String topic;
    private final EventLog log;
    private final MembershipTally tally;
    private final Deque<Send> held = new ArrayDeque<>();
    private Threads.@Nullable Timer release;
    private boolean holding;

    Outgoing(
            Threads threads,
            String election,
            Membership membership,
            String topic,
            EventLog log,
            MembershipTally tally) {
        this.threads = threads;
        this.election = election;
        this.membership = membership;
        this.topic = topic;
        this.log = log;
        this.tally = tally;
    }

    /** From now on nothing is sent until {@link #passOn}, or until then on the monotonic clock. */
    void holdUntil(long nanos) {
        // Held before there is a timer: without one, the end of the work passes them on.
        holding = true;
        release = threads.at(nanos, this::passOn);
    }

    void send(Send send) {
        if (!holding) {
            give(send);
            return;
        }
        if (held.size() == MAX_HELD) {
            held.removeFirst();
            tally.unsent();
        }
        held.addLast(send);
    }

    /** The work has stopped, or the leadership would be over by itself. */
    void passOn() {
        holding = false;
        if (release != null) {
            release.cancel();
            release = null;
        }
        held.forEach(this::give);
        held.clear();
    }

    /** Members may be somebody else's code: a message that they choke on is lost, and what is to be done after it is not. */
    private void give(Send send) {
        boolean taken = false;
        try {
            taken = membership.send(send.to(), topic, send.message().get());
        } catch (Throwable e) {
            log.fault(election, "the membership failed with a message", e);
        }
        if (taken) {
            send.sent().increment();
        } else {
            tally.unsent();
        }
    }
}
