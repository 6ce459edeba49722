package dev.doyen.ranking;

import dev.doyen.event.DurationText;
import java.time.Duration;

/**
 * How one member takes part. Start with {@link #DEFAULT}; change what you must.
 *
 * @param ranking who claims first; the same for all members of a channel
 * @param priority the higher claims first; 0 to 100
 * @param candidate false for a member that only watches
 * @param ttl the promise to the hub, which may give the claim away after this much silence. 100 ms to 1 h. A leader pings
 *     every ttl/4, and leads for 0.8 ttl after its last proof.
 * @param settle how long the channel must have been without a leader before the first in rank claims. 0 to 60 s; two round
 *     trips, or two may claim at once.
 * @param exclusiveSettle the same where the hub is known to grant claims; the lesser of both counts. 0 to 60 s.
 * @param cooldown how long a member that resigned does not stand again. 0 to 1 h.
 * @param backoff the wait after a refused claim or a failed write, doubled each time. 1 ms to 60 s.
 * @param backoffMost what it is doubled up to; from {@code backoff} to 1 h
 * @param answer when a presence write that nobody answered is given up. 1 ms to 1 h.
 */
public record RankingSettings(
        Ranking ranking,
        int priority,
        boolean candidate,
        Duration ttl,
        Duration settle,
        Duration exclusiveSettle,
        Duration cooldown,
        Duration backoff,
        Duration backoffMost,
        Duration answer) {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LEAST = Duration.ofMillis(1);

    /** The oldest first, priority 0, a candidate; the durations that docs/spec/ranking.md recommends. */
    public static final RankingSettings DEFAULT = new RankingSettings(
            Ranking.oldest(),
            0,
            true,
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            Duration.ofMillis(50),
            Duration.ofSeconds(5),
            Duration.ofMillis(250),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));

    public RankingSettings {
        if (priority < 0 || priority > 100) {
            throw new IllegalArgumentException("priority is " + priority + "; its bounds are 0 and 100: "
                    + (priority < 0 ? "raise it" : "lower it"));
        }
        within("ttl", ttl, Duration.ofMillis(100), HOUR);
        within("settle", settle, Duration.ZERO, MINUTE);
        within("exclusiveSettle", exclusiveSettle, Duration.ZERO, MINUTE);
        checkCooldown(cooldown);
        within("backoff", backoff, LEAST, MINUTE);
        if (backoffMost.compareTo(backoff) < 0) {
            throw new IllegalArgumentException("backoffMost is " + DurationText.of(backoffMost) + "; at least backoff ("
                    + DurationText.of(backoff) + "): raise it");
        }
        within("backoffMost", backoffMost, LEAST, HOUR);
        within("answer", answer, LEAST, HOUR);
    }

    public RankingSettings withRanking(Ranking another) {
        return new RankingSettings(
                another, priority, candidate, ttl, settle, exclusiveSettle, cooldown, backoff, backoffMost, answer);
    }

    public RankingSettings withPriority(int another) {
        return new RankingSettings(
                ranking, another, candidate, ttl, settle, exclusiveSettle, cooldown, backoff, backoffMost, answer);
    }

    public RankingSettings withTtl(Duration another) {
        return new RankingSettings(
                ranking, priority, candidate, another, settle, exclusiveSettle, cooldown, backoff, backoffMost, answer);
    }

    public RankingSettings withSettle(Duration another) {
        return new RankingSettings(
                ranking, priority, candidate, ttl, another, exclusiveSettle, cooldown, backoff, backoffMost, answer);
    }

    public RankingSettings withCooldown(Duration another) {
        return new RankingSettings(
                ranking, priority, candidate, ttl, settle, exclusiveSettle, another, backoff, backoffMost, answer);
    }

    /** For how long a proof holds (K9): 0.8 ttl. */
    public Duration safe() {
        return Tenure.safePart(ttl);
    }

    static void checkCooldown(Duration cooldown) {
        within("cooldown", cooldown, Duration.ZERO, HOUR);
    }

    private static void within(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + DurationText.of(value) + "; its bounds are "
                    + least.toMillis() + " and " + most.toMillis() + " ms: "
                    + (value.compareTo(least) < 0 ? "raise it" : "lower it"));
        }
    }
}
