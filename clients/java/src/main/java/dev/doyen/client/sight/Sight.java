package dev.doyen.client.sight;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What was last heard, and how old it is. Immutable.
 *
 * @param self the name that this process stands under
 * @param maxAgeNanos after so long without confirmation nothing is known
 * @param whenUnknown what is so then
 * @param answer what was heard; empty if nothing was yet
 * @param atNanos when it was last true, as far as is known
 * @param confirmed false while it may be an old event of a replay
 */
public record Sight(
        String self,
        long maxAgeNanos,
        WhenUnknown whenUnknown,
        Optional<Answer> answer,
        long atNanos,
        boolean confirmed) {

    public static Sight nothing(String self, long maxAgeNanos, WhenUnknown whenUnknown) {
        return new Sight(self, maxAgeNanos, whenUnknown, Optional.empty(), 0, false);
    }

    Sight heard(Answer now, long nanos) {
        return new Sight(self, maxAgeNanos, whenUnknown, Optional.of(now), nanos, true);
    }

    /** Heard of a time that may be over: it can say who else led, but not that this process does. */
    Sight replayed(Answer then, long nanos) {
        return new Sight(self, maxAgeNanos, whenUnknown, Optional.of(then), nanos, false);
    }

    /** What was heard is still so. */
    Sight confirmed(long nanos) {
        return new Sight(self, maxAgeNanos, whenUnknown, answer, nanos - atNanos > 0 ? nanos : atNanos, true);
    }

    /** What is so at that time. */
    public LeaderState state(long nowNanos) {
        if (answer.isEmpty()) {
            return new LeaderState(Standing.UNKNOWN, Optional.empty(), OptionalLong.empty());
        }
        Answer known = answer.get();
        boolean namesThis = known.leader().filter(self::equals).isPresent();
        boolean fresh = isFresh(nowNanos) || whenUnknown == WhenUnknown.KEEP;
        Standing standing;
        if (!fresh || (namesThis && !confirmed)) {
            standing = Standing.UNKNOWN;
        } else {
            standing = namesThis ? Standing.LEADING : Standing.FOLLOWING;
        }
        return new LeaderState(standing, known.leader(), known.term());
    }

    /** For how long it is fresh, if nothing more is heard; zero if it is not. */
    public Duration freshFor(long nowNanos) {
        return isFresh(nowNanos) ? Duration.ofNanos(maxAgeNanos - (nowNanos - atNanos)) : Duration.ZERO;
    }

    boolean isFresh(long nowNanos) {
        return answer.isPresent() && nowNanos - atNanos < maxAgeNanos;
    }
}
