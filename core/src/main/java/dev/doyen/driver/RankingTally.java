package dev.doyen.driver;

import dev.doyen.event.Moment;
import dev.doyen.roster.RosterMessage;
import dev.doyen.roster.RosterState;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a {@link RankingContest} has sent and heard since it began, and what it knows now. Threads: any may read; numbers only
 * rise.
 */
public final class RankingTally {

    private final LongAdder asked = new LongAdder();
    private final LongAdder answered = new LongAdder();

    private volatile Optional<Instant> lastWord = Optional.empty();
    private volatile Optional<RosterState> state = Optional.empty();

    /** How many messages were sent that ask for an answer. */
    public long asked() {
        return asked.sum();
    }

    /** How many answers were sent. */
    public long answered() {
        return answered.sum();
    }

    /** When another member was heard last that was named as the leader then, by the wall clock. */
    public Optional<Instant> lastWord() {
        return lastWord;
    }

    /** What the member knows: its view, who is eligible, who has not answered. Empty before it has begun. */
    public Optional<RosterState> state() {
        return state;
    }

    /** What counts messages of this kind that were sent. */
    LongAdder of(RosterMessage message) {
        return message.asks() ? asked : answered;
    }

    void word(Moment at) {
        lastWord = Optional.of(Instant.ofEpochMilli(at.wallMillis()));
    }

    void knows(RosterState now) {
        state = Optional.of(now);
    }
}
