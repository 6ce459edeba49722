package dev.doyen.ring;

import dev.doyen.event.DurationText;
import java.time.Duration;

/**
 * The durations of a ring election, which must fit together.
 *
 * <p>Start with {@link #ofFollow}, and change only what you must.
 *
 * @param follow the election timeout: how long a follower waits for a heartbeat before it opens a round. 100 ms to 1 h,
 *     default 8 s.
 * @param lead the leader lease: how long a leader leads after <em>sending</em> its last confirmed heartbeat. At most
 *     0.8 {@code follow}, so that clock rates may differ by 10 %. Default 0.8 {@code follow}.
 * @param beat the heartbeat interval. At most a third of {@code lead}, so that one lost heartbeat costs nothing.
 *     Default {@code follow}/5.
 * @param retry the delay before a candidate sends its key again, doubled each time up to {@code follow}. At most half
 *     of {@code follow}. Default {@code follow}/10.
 * @param keep how long a message of a view that is not installed yet is kept. At most {@code follow}, which is the
 *     default.
 */
public record RingTiming(Duration follow, Duration lead, Duration beat, Duration retry, Duration keep) {

    public static final Duration DEFAULT_FOLLOW = Duration.ofSeconds(8);

    private static final Duration MIN_FOLLOW = Duration.ofMillis(100);
    private static final Duration MAX_FOLLOW = Duration.ofHours(1);
    private static final Duration LEAST = Duration.ofMillis(1);

    public RingTiming {
        within("follow", follow, MIN_FOLLOW, MAX_FOLLOW, "its bounds are 100 ms and 1 h");
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

    /** Returns the default durations for an election timeout. */
    public static RingTiming ofFollow(Duration follow) {
        within("follow", follow, MIN_FOLLOW, MAX_FOLLOW, "its bounds are 100 ms and 1 h");
        return new RingTiming(
                follow, follow.multipliedBy(4).dividedBy(5), follow.dividedBy(5), follow.dividedBy(10), follow);
    }

    /**
     * Returns how long a follower may be silent without costing the leader its term (rule R13).
     *
     * <p>The last confirmed heartbeat was sent up to {@code beat} before the silence. A tenth of the leader lease
     * remains for the new view and its round.
     */
    public Duration longestSilence() {
        return lead.minus(beat).minus(lead.dividedBy(10));
    }

    /**
     * Rejects a membership that keeps silent members for longer than {@link #longestSilence}.
     *
     * @param silence how long a silent member stays in the view at most
     * @throws IllegalArgumentException if one frozen follower would cost the leader its term
     */
    public void checkSilence(Duration silence) {
        if (silence.compareTo(longestSilence()) > 0) {
            throw new IllegalArgumentException(
                    "a silent member stays in the view for " + DurationText.of(silence) + ", and with follow at "
                            + DurationText.of(follow) + " a leader outlasts " + DurationText.of(longestSilence())
                            + ", so one frozen follower would cost it its term: " + remedy(silence));
        }
    }

    private static String remedy(Duration silence) {
        // With the defaults lead is 0.8 and beat 0.2 of follow, so 0.52 of follow remain for the silence.
        if (silence.compareTo(MAX_FOLLOW.multipliedBy(13).dividedBy(25)) >= 0) {
            return "lower the detection time";
        }
        long least = silence.multipliedBy(25).dividedBy(13).toMillis() + 1;
        return "raise follow to " + least + " ms or more, or lower the detection time";
    }

    private static void within(String what, Duration value, Duration least, Duration most, String why) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + DurationText.of(value) + "; " + why);
        }
    }
}
