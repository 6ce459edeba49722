package dev.doyen.group.driver;

import dev.doyen.driver.EventLog;
import dev.doyen.election.Threads;
import dev.doyen.group.driver.MembershipContest.Send;
import dev.doyen.membership.Membership;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Sends a loop's messages to other members in order. The messages wait while the work of an ended term stops.
 *
 * <p>After a leadership has ended, no message is sent until the work has stopped. The wait ends at the latest when the
 * leader lease of the ended term expires. So work that does not stop cannot block the other members.
 *
 * <p>Threads: the loop thread.
 */
final class Outgoing {

    /** The maximum number of messages that wait for the work to stop. The oldest messages are dropped first. */
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

    /** Delays messages until {@link #passOn} is called, or until this time of the monotonic clock. */
    void holdUntil(long nanos) {
        // The flag is set before the timer is started. So the messages wait for the work to stop even if the timer
        // cannot be started.
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

    /**
     * Sends the waiting messages. The loop calls this method after the work has stopped or the membership has ended. A
     * timer calls this method when the leader lease of the ended term expires.
     */
    void passOn() {
        holding = false;
        if (release != null) {
            release.cancel();
            release = null;
        }
        held.forEach(this::give);
        held.clear();
    }

    /**
     * Sends a message. A membership can be user code. If the membership throws, the message is lost and the loop
     * continues.
     */
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
