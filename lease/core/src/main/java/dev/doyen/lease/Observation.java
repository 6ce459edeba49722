package dev.doyen.lease;

import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Observing;
import dev.doyen.store.LeaseRecord;
import java.time.Instant;

/** The rules for what a machine observes: the expiry of a lease, and the end of a silent session (L9, L12.2). */
final class Observation {

    private final Turn turn;

    Observation(Turn turn) {
        this.turn = turn;
    }

    /**
     * Reports a change of the leader, such as the expiry of its lease.
     *
     * <p>A machine that has ended reports nothing (rule L9).
     */
    void noticeExpiry() {
        if (!(turn.role() instanceof Leading || turn.role() instanceof Gone)) {
            turn.tellLeader(turn.leaderBySight());
        }
    }

    boolean isFenceDue(Observing observing) {
        return turn.mayEnd(observing) && turn.isDue(observing.endNotBeforeNanos());
    }

    /**
     * Fences a session that has been silent for W (rule L12.2).
     *
     * <p>Writes a higher term without a holder, by compare-and-set over the observed version.
     */
    void fence(Observing observing) {
        Instant wall = Instant.ofEpochMilli(turn.now.wallMillis());
        LeaseRecord record = LeaseRecord.unheld(
                turn.machine.election(),
                Math.max(turn.sight.highestTerm(), observing.endEpoch()) + 1,
                turn.nonce("fence"),
                turn.timing.ttl(),
                wall);
        turn.write(Request.Kind.FENCE, turn.sight.knownVersion(), new Attempt(record, turn.now, 0));
    }
}
