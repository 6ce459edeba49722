package dev.doyen.group.driver;

import dev.doyen.driver.EventLog;
import dev.doyen.election.Threads;
import dev.doyen.group.driver.MembershipContest.Send;
import dev.doyen.membership.Membership;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Sends a loop's messages to other members, in order, and holds them back while work stops.
 *
 * <p>After a leadership has ended, no message goes out until the work has stopped. The wait is not longer than the
 * leadership could have lasted, so that work which does not stop cannot block the others.
 *
 * <p>Threads: the loop thread.
 */
final class Outgoing {

    /** The most messages that wait for the work to stop. The oldest are lost first. */
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

    /** Holds messages back until {@link #passOn}, or until this time of the monotonic clock. */
    void holdUntil(long nanos) {
        // Set before the timer: if the timer cannot be started, the end of the work releases the messages.
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

    /** Sends the waiting messages, because the work has stopped or the leadership would have ended by itself. */
    void passOn() {
        holding = false;
        if (release != null) {
            release.cancel();
            release = null;
        }
        held.forEach(this::give);
        held.clear();
    }

    /** Sends a message. A membership may be user code: if it throws, the message is lost and the loop goes on. */
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
