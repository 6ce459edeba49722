package dev.doyen.election;

import dev.doyen.text.DurationText;
import java.time.Duration;

/**
 * The durations of a lease election. The constructor rejects durations that do not fit together.
 *
 * <p>Start with {@link #ofTtl}, and change only what you must. In the following formulas, W is the ttl.
 *
 * @param ttl W, the time without a renewal after which other candidates may take over. 200 ms to 1 h, default 10 s.
 * @param deadline D, the time for which the leader leads after <em>sending</em> its last confirmed write (rule L1). At
 *     most 0.8 W, so that each clock may run up to 10 % too slow or too fast ({@code D/0.9 <= W/1.1}). Default 0.8 W.
 * @param renewEvery the time from the sending of a confirmed renewal to the next renewal. At most D/3, so that one lost
 *     answer does not end the term. Default W/5.
 * @param requestTimeout the time after which the outcome of a store call counts as unknown. At most D/2. Default W/5.
 *     For a lease under a session (rule L12), the time is 3 W instead.
 * @param pollEvery the time between two reads of the record by a follower, with jitter of +-20 %. At most W. Default
 *     W/10.
 * @param watchedPollEvery the time between two reads by a follower while the store announces changes and the last read
 *     succeeded. At least {@code pollEvery}, at most W. Default W/2. For a lease under a session, the time is 3 W
 *     instead.
 * @param resignCooldown the time for which a candidate does not campaign after it has resigned. During this time
 *     another candidate can win. Default W.
 */
public record LeaseTiming(
        Duration ttl,
        Duration deadline,
        Duration renewEvery,
        Duration requestTimeout,
        Duration pollEvery,
        Duration watchedPollEvery,
        Duration resignCooldown) {

    public static final Duration DEFAULT_TTL = Duration.ofSeconds(10);

    private static final Duration MIN_TTL = Duration.ofMillis(200);
    private static final Duration MAX_TTL = Duration.ofHours(1);

    public LeaseTiming {
        within("ttl", ttl, MIN_TTL, MAX_TTL, "its bounds are 200 ms and 1 h");
        within(
                "deadline",
                deadline,
                Duration.ofMillis(1),
                ttl.multipliedBy(4).dividedBy(5),
                "the renewal deadline is at most 0.8 of the ttl (" + ttl.toMillis()
                        + " ms), or two candidates could lead if their clocks run 10 % apart: lower the deadline");
        within(
                "renewEvery",
                renewEvery,
                Duration.ofMillis(1),
                deadline.dividedBy(3),
                "it is at most a third of the deadline (" + deadline.toMillis() + " ms): lower it or raise the ttl");
        within(
                "requestTimeout",
                requestTimeout,
                Duration.ofMillis(1),
                deadline.dividedBy(2),
                "it is at most half the deadline (" + deadline.toMillis() + " ms): lower it or raise the ttl");
        within("pollEvery", pollEvery, Duration.ofMillis(1), ttl, "it is at most the ttl (" + ttl.toMillis() + " ms)");
        within(
                "watchedPollEvery",
                watchedPollEvery,
                pollEvery,
                ttl,
                "it lies between pollEvery (" + pollEvery.toMillis() + " ms) and the ttl (" + ttl.toMillis() + " ms)");
        checkCooldown(resignCooldown);
    }

    /** Returns {@code cooldown} if it is 0 to 1 h, or else throws {@link IllegalArgumentException}. */
    public static Duration checkCooldown(Duration cooldown) {
        within("resignCooldown", cooldown, Duration.ZERO, MAX_TTL, "its bounds are 0 and 1 h");
        return cooldown;
    }

    /**
     * Returns the default durations for a ttl.
     *
     * @throws IllegalArgumentException if the ttl is not 200 ms to 1 h
     */
    public static LeaseTiming ofTtl(Duration ttl) {
        within("ttl", ttl, MIN_TTL, MAX_TTL, "its bounds are 200 ms and 1 h");
        return new LeaseTiming(
                ttl,
                ttl.multipliedBy(4).dividedBy(5),
                ttl.dividedBy(5),
                ttl.dividedBy(5),
                ttl.dividedBy(10),
                ttl.dividedBy(2),
                ttl);
    }

    /**
     * Returns the same durations with another cooldown after a resignation.
     *
     * @throws IllegalArgumentException if the cooldown is not 0 to 1 h
     */
    public LeaseTiming withResignCooldown(Duration cooldown) {
        return new LeaseTiming(ttl, deadline, renewEvery, requestTimeout, pollEvery, watchedPollEvery, cooldown);
    }

    private static void within(String what, Duration value, Duration least, Duration most, String why) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + DurationText.of(value) + "; " + why);
        }
    }
}
