package dev.doyen.group.driver;

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

/** The counters and the present state of a {@link RingContest}. Any thread may read them. A counter never decreases. */
public class RingTally {

    private final LongAdder election = new LongAdder();
    private final LongAdder heartbeats = new LongAdder();
    private final LongAdder nacks = new LongAdder();
    private final LongAdder transfers = new LongAdder();
    private final LongAdder states = new LongAdder();
    private final Map<RingEffect.Why, LongAdder> dropped = new EnumMap<>(RingEffect.Why.class);

    private volatile Optional<Instant> lastHeartbeat = Optional.empty();
    private volatile Optional<Duration> confirmedIn = Optional.empty();
    private volatile Optional<RingState> state = Optional.empty();

    /** Creates counters at 0, for one election. */
    public RingTally() {
        for (RingEffect.Why why : RingEffect.Why.values()) {
            dropped.put(why, new LongAdder());
        }
    }

    /** Returns the number of election messages that were sent. */
    public long electionSent() {
        return election.sum();
    }

    /**
     * Returns the number of sent heartbeats and elected messages. The number includes the forwarded messages of other
     * leaders.
     */
    public long heartbeatsSent() {
        return heartbeats.sum();
    }

    public long nacksSent() {
        return nacks.sum();
    }

    /**
     * Returns the wall-clock time at which the known leader's last heartbeat arrived.
     *
     * <p>While this member leads, the result is the time at which it began to lead or last won a round.
     */
    public Optional<Instant> lastHeartbeat() {
        return lastHeartbeat;
    }

    /**
     * Returns the round-trip time of the message that last confirmed this leader. The result is empty before the first
     * confirmation. After a won round, the result can include the time since the beginning of the round.
     */
    public Optional<Duration> confirmedIn() {
        return confirmedIn;
    }

    /** Returns the state of the machine, such as its view and round. The result is empty before the first input. */
    public Optional<RingState> state() {
        return state;
    }

    /** Returns the number of messages with which this member handed over its leadership. */
    public long transfersSent() {
        return transfers.sum();
    }

    /** Returns the number of sent state requests and state responses (rule T4). */
    public long statesSent() {
        return states.sum();
    }

    /** Returns the number of messages that were dropped for this reason (rule R11). */
    public long dropped(RingEffect.Why why) {
        return of(why).sum();
    }

    /** Returns the counter of the sent messages of this kind. */
    LongAdder of(RingMessage message) {
        if (message instanceof RingMessage.OfLeader) {
            return heartbeats;
        }
        if (message instanceof RingMessage.Yield) {
            return transfers;
        }
        if (message instanceof RingMessage.StateRequest || message instanceof RingMessage.StateResponse) {
            return states;
        }
        return message instanceof RingMessage.Nack ? nacks : election;
    }

    void heartbeat(Moment at) {
        lastHeartbeat = Optional.of(Instant.ofEpochMilli(at.wallMillis()));
    }

    void confirmed(Duration took) {
        confirmedIn = Optional.of(took);
    }

    void setState(RingState now) {
        state = Optional.of(now);
    }

    void drop(RingEffect.Why why) {
        of(why).increment();
    }

    private LongAdder of(RingEffect.Why why) {
        return Objects.requireNonNull(dropped.get(why), "each reason is counted");
    }
}
