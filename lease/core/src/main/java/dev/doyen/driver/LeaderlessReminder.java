package dev.doyen.driver;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.Optional;

/** Determines when to log that nobody leads: once a minute. Threads: only the loop thread uses this class. */
final class LeaderlessReminder {

    /** The time between two reminders, and between the loss of the leader and the first reminder. */
    static final Duration EVERY = Duration.ofMinutes(1);

    private boolean leaderless;
    private long sinceNanos;
    private long nextNanos;

    /**
     * Returns the time for which nobody has led, if a reminder is due now.
     *
     * @param lacksLeader true if the candidate does not know any leader
     */
    Optional<Duration> due(boolean lacksLeader, Moment now) {
        if (!lacksLeader || !leaderless) {
            leaderless = lacksLeader;
            sinceNanos = now.nanos();
            nextNanos = sinceNanos + EVERY.toNanos();
            return Optional.empty();
        }
        if (now.nanos() - nextNanos < 0) {
            return Optional.empty();
        }
        Duration since = Duration.ofNanos(now.nanos() - sinceNanos);
        nextNanos = sinceNanos + EVERY.multipliedBy(since.dividedBy(EVERY) + 1).toNanos();
        return Optional.of(since);
    }

    /** Returns the earlier of {@code atNanos} and the time of the next reminder. */
    long earlier(long atNanos) {
        return leaderless && (atNanos == Long.MAX_VALUE || nextNanos - atNanos < 0) ? nextNanos : atNanos;
    }
}
