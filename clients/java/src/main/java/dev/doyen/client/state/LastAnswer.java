package dev.doyen.client.state;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The last answer and its age. This class is immutable.
 *
 * @param self this process's candidate name
 * @param maxAgeNanos the time without a confirmation after which the answer is outdated, in nanoseconds
 * @param whenUnknown the state that follows from an outdated answer
 * @param answer the answer; empty if no answer has arrived yet
 * @param atNanos the last time at which the answer was known to be true
 * @param confirmed false if the answer may be an old event of a replay
 */
public record LastAnswer(
        String self,
        long maxAgeNanos,
        WhenUnknown whenUnknown,
        Optional<Answer> answer,
        long atNanos,
        boolean confirmed) {

    /** Returns the state before the first answer. */
    public static LastAnswer nothing(String self, long maxAgeNanos, WhenUnknown whenUnknown) {
        return new LastAnswer(self, maxAgeNanos, whenUnknown, Optional.empty(), 0, false);
    }

    LastAnswer received(Answer now, long nanos) {
        return new LastAnswer(self, maxAgeNanos, whenUnknown, Optional.of(now), nanos, true);
    }

    /**
     * Records a replayed answer, which may be outdated. The client does not report that this process leads until the
     * answer is {@linkplain #confirmed confirmed}.
     */
    LastAnswer replayed(Answer then, long nanos) {
        return new LastAnswer(self, maxAgeNanos, whenUnknown, Optional.of(then), nanos, false);
    }

    /** Records that the answer is still true. */
    LastAnswer confirmed(long nanos) {
        return new LastAnswer(self, maxAgeNanos, whenUnknown, answer, nanos - atNanos > 0 ? nanos : atNanos, true);
    }

    /** Returns the state at the given time. */
    public LeaderState state(long nowNanos) {
        if (answer.isEmpty()) {
            return new LeaderState(Role.UNKNOWN, Optional.empty(), OptionalLong.empty());
        }
        Answer known = answer.get();
        boolean namesThis = known.leader().filter(self::equals).isPresent();
        boolean fresh = isFresh(nowNanos) || whenUnknown == WhenUnknown.KEEP;
        Role role;
        if (!fresh || (namesThis && !confirmed)) {
            role = Role.UNKNOWN;
        } else {
            role = namesThis ? Role.LEADING : Role.FOLLOWING;
        }
        return new LeaderState(role, known.leader(), known.term());
    }

    /**
     * Returns how long the answer remains fresh without a confirmation. The result is zero if the answer is outdated.
     */
    public Duration freshFor(long nowNanos) {
        return isFresh(nowNanos) ? Duration.ofNanos(maxAgeNanos - (nowNanos - atNanos)) : Duration.ZERO;
    }

    boolean isFresh(long nowNanos) {
        return answer.isPresent() && nowNanos - atNanos < maxAgeNanos;
    }
}
