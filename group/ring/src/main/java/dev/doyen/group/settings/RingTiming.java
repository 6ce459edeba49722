package dev.doyen.group.settings;

import dev.doyen.text.DurationText;
import java.time.Duration;

/**
 * The durations of a ring election, which must fit together.
 *
 * <p>Start with {@link #ofElectionTimeout}, and change only the durations that do not fit your system.
 *
 * @param electionTimeout the election timeout: the time for which a follower waits for a heartbeat before it opens a
 *     round. 100 ms to 1 h; default 8 s.
 * @param leaderLease the leader lease: the time for which a leader leads after it has <em>sent</em> its last confirmed
 *     heartbeat. At most 0.8 {@code electionTimeout}, so that clock rates can differ by 10 %. Default 0.8
 *     {@code electionTimeout}.
 * @param heartbeatInterval the heartbeat interval. At most a third of {@code leaderLease}, so that one lost heartbeat
 *     does not end a term. Default {@code electionTimeout}/5.
 * @param retry the delay before a candidate sends its key again. The delay doubles each time up to
 *     {@code electionTimeout}. At most half of {@code electionTimeout}. Default {@code electionTimeout}/10.
 * @param keep the maximum time for which a member stores a message of a view that is not installed yet. At most
 *     {@code electionTimeout}, which is also the default.
 */
public record RingTiming(
        Duration electionTimeout, Duration leaderLease, Duration heartbeatInterval, Duration retry, Duration keep) {

    public static final Duration DEFAULT_ELECTION_TIMEOUT = Duration.ofSeconds(8);

    private static final Duration MIN_ELECTION_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_ELECTION_TIMEOUT = Duration.ofHours(1);
    private static final Duration LEAST = Duration.ofMillis(1);

    public RingTiming {
        within(
                "the election timeout",
                electionTimeout,
                MIN_ELECTION_TIMEOUT,
                MAX_ELECTION_TIMEOUT,
                "its bounds are 100 ms and 1 h");
        within(
                "the leader lease",
                leaderLease,
                LEAST,
                electionTimeout.multipliedBy(4).dividedBy(5),
                "at most 0.8 of the election timeout (" + electionTimeout.toMillis()
                        + " ms), or followers suspect a leader that still leads: lower it");
        within(
                "the heartbeat interval",
                heartbeatInterval,
                LEAST,
                leaderLease.dividedBy(3),
                "at most a third of the leader lease (" + leaderLease.toMillis()
                        + " ms), or one lost heartbeat ends a leadership: lower it");
        within(
                "retry",
                retry,
                LEAST,
                electionTimeout.dividedBy(2),
                "at most half of the election timeout (" + electionTimeout.toMillis()
                        + " ms), or no message is repeated before the round times out: lower it");
        within(
                "keep",
                keep,
                LEAST,
                electionTimeout,
                "at most the election timeout (" + electionTimeout.toMillis() + " ms)");
    }

    /**
     * Returns the default durations for an election timeout.
     *
     * @throws IllegalArgumentException if the election timeout is not 100 ms to 1 h
     */
    public static RingTiming ofElectionTimeout(Duration electionTimeout) {
        within(
                "the election timeout",
                electionTimeout,
                MIN_ELECTION_TIMEOUT,
                MAX_ELECTION_TIMEOUT,
                "its bounds are 100 ms and 1 h");
        return new RingTiming(
                electionTimeout,
                electionTimeout.multipliedBy(4).dividedBy(5),
                electionTimeout.dividedBy(5),
                electionTimeout.dividedBy(10),
                electionTimeout);
    }

    /**
     * Returns how long a follower can be silent without ending the leader's term (rule R13).
     *
     * <p>In the worst case, the leader sent its last confirmed heartbeat one heartbeat interval before the silence
     * began. So the result is the leader lease less the heartbeat interval, and less a tenth of the leader lease. This
     * tenth is the time for the new view and its round.
     */
    public Duration longestSilence() {
        return leaderLease.minus(heartbeatInterval).minus(leaderLease.dividedBy(10));
    }

    /**
     * Rejects a membership that removes silent members later than {@link #longestSilence}.
     *
     * @param silence the maximum time for which a silent member stays in the view
     * @throws IllegalArgumentException if one frozen follower would end the leader's term
     */
    public void checkSilence(Duration silence) {
        if (silence.compareTo(longestSilence()) > 0) {
            throw new IllegalArgumentException("a silent member stays in the view for " + DurationText.of(silence)
                    + ", and with an election timeout of "
                    + DurationText.of(electionTimeout) + " the limit is " + DurationText.of(longestSilence())
                    + ", so one frozen follower would end the leader's term: " + remedy(silence));
        }
    }

    private static String remedy(Duration silence) {
        // By default, the leader lease is 0.8 and the heartbeat interval 0.2 of the election timeout. So the limit of
        // the silence is 0.52 of the election timeout.
        if (silence.compareTo(MAX_ELECTION_TIMEOUT.multipliedBy(13).dividedBy(25)) >= 0) {
            return "lower the detection time";
        }
        long least = silence.multipliedBy(25).dividedBy(13).toMillis() + 1;
        return "raise the election timeout to " + least + " ms or more, or lower the detection time";
    }

    private static void within(String what, Duration value, Duration least, Duration most, String why) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + DurationText.of(value) + "; " + why);
        }
    }
}
