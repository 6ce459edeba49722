package dev.doyen.ring;

import java.time.Duration;

/**
 * The ring's durations, checked against each other. Start with {@link #ofFollow}; change what you must.
 *
 * @param follow how long a follower waits without a sign of its leader before it opens a round. 100 ms to 1 h, default 5 s.
 * @param lead how long a leader leads after <em>sending</em> its last confirmed lap. At most 0.8 follow: clock rates may
 *     then differ by 10 %.
 * @param beat from lap to lap; at most a third of lead, so that one lost lap costs nothing. follow/5.
 * @param retry when a candidate sends its key again, doubled each time up to follow; at most half of follow. follow/10.
 * @param keep how long a message of a view that may come is kept; at most follow.
 */
public record RingTiming(Duration follow, Duration lead, Duration beat, Duration retry, Duration keep) {

    public static final Duration DEFAULT_FOLLOW = Duration.ofSeconds(5);

    private static final Duration LEAST = Duration.ofMillis(1);

    public RingTiming {
        within("follow", follow, Duration.ofMillis(100), Duration.ofHours(1), "its bounds are 100 ms and 1 h");
        within(
                "lead",
                lead,
                LEAST,
                follow.multipliedBy(4).dividedBy(5),
                "at most 0.8 of follow (" + follow.toMillis()
                        + " ms), or followers give a leader up that still leads: lower it");
        within(
                "beat",
                beat,
                LEAST,
                lead.dividedBy(3),
                "at most a third of lead (" + lead.toMillis() + " ms), or one lost lap ends a leadership: lower it");
        within(
                "retry",
                retry,
                LEAST,
                follow.dividedBy(2),
                "at most half of follow (" + follow.toMillis()
                        + " ms), or nothing is sent again before the round is given up: lower it");
        within("keep", keep, LEAST, follow, "at most follow (" + follow.toMillis() + " ms)");
    }

    /** The recommended durations. */
    public static RingTiming ofFollow(Duration follow) {
        within("follow", follow, Duration.ofMillis(100), Duration.ofHours(1), "its bounds are 100 ms and 1 h");
        return new RingTiming(
                follow, follow.multipliedBy(4).dividedBy(5), follow.dividedBy(5), follow.dividedBy(10), follow);
    }

    /**
     * Quorum mode: for how long a voter that granted a leader its lap keeps its vote from others, on its own clock: a tenth
     * more than lead, since clock rates differ by less than 10 %.
     */
    public Duration hold() {
        return lead.plus(lead.dividedBy(10)).plusNanos(1);
    }

    private static void within(String what, Duration value, Duration least, Duration most, String why) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + value.toMillis() + " ms; " + why);
        }
    }
}
