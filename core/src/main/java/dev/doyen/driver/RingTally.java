package dev.doyen.driver;

import dev.doyen.event.Moment;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingMessage;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a {@link RingContest} has sent, heard and dropped since it began, and what it knows now. Threads: any may read;
 * numbers only rise.
 */
public final class RingTally {

    private final LongAdder contest = new LongAdder();
    private final LongAdder laps = new LongAdder();
    private final LongAdder nacks = new LongAdder();
    private final LongAdder yields = new LongAdder();
    private final LongAdder states = new LongAdder();
    private final Map<RingEffect.Why, LongAdder> dropped = new EnumMap<>(RingEffect.Why.class);

    private volatile Optional<Instant> lastLap = Optional.empty();
    private volatile Optional<Duration> around = Optional.empty();
    private volatile Optional<RingState> state = Optional.empty();

    /** Everything is 0. Give it to one election. */
    public RingTally() {
        for (RingEffect.Why why : RingEffect.Why.values()) {
            dropped.put(why, new LongAdder());
        }
    }

    /** Messages that find a winner. */
    public long contestSent() {
        return contest.sum();
    }

    /** Laps, of this member as the leader and those it passed on. */
    public long lapsSent() {
        return laps.sum();
    }

    public long nacksSent() {
        return nacks.sum();
    }

    /** When a lap of the leader that is named was heard last, by the wall clock; of oneself, when it began to lead. */
    public Optional<Instant> lastLap() {
        return lastLap;
    }

    /** How long the message took around the ring that confirmed this member as the leader last; empty before any did. */
    public Optional<Duration> around() {
        return around;
    }

    /** The state of the machine, such as its view and its round. Empty before it has begun. */
    public Optional<RingState> state() {
        return state;
    }

    /** Messages that say that this member leads no more. */
    public long yieldsSent() {
        return yields.sum();
    }

    /** Messages that ask for a saved state, or bring one to a new leader (rule T4). */
    public long statesSent() {
        return states.sum();
    }

    /** Messages that were dropped by rule R11, for this reason. */
    public long dropped(RingEffect.Why why) {
        return of(why).sum();
    }

    /** What counts messages of this kind that were sent. */
    LongAdder of(RingMessage message) {
        if (message instanceof RingMessage.OfLeader) {
            return laps;
        }
        if (message instanceof RingMessage.Yield) {
            return yields;
        }
        if (message instanceof RingMessage.StateRequest || message instanceof RingMessage.StateResponse) {
            return states;
        }
        return message instanceof RingMessage.Nack ? nacks : contest;
    }

    void lap(Moment at) {
        lastLap = Optional.of(Instant.ofEpochMilli(at.wallMillis()));
    }

    void confirmed(Duration took) {
        around = Optional.of(took);
    }

    void knows(RingState now) {
        state = Optional.of(now);
    }

    void drop(RingEffect.Why why) {
        of(why).increment();
    }

    private LongAdder of(RingEffect.Why why) {
        return Objects.requireNonNull(dropped.get(why), "each reason is counted");
    }
}
