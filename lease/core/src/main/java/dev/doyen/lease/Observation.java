package dev.doyen.lease;

import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Observing;
import dev.doyen.store.LeaseRecord;
import java.time.Instant;

/** Reports the expiry of a lease, and fences a silent session (L9, L12.2). */
final class Observation {

    private final StepContext step;

    Observation(StepContext step) {
        this.step = step;
    }

    /**
     * Reports the leader if it has changed, for example because the observed lease has expired.
     *
     * <p>A machine that has ended reports nothing (rule L9).
     */
    void reportExpiry() {
        if (!(step.role() instanceof Leading || step.role() instanceof Gone)) {
            step.reportLeader(step.observedLeader());
        }
    }

    boolean isFenceDue(Observing observing) {
        return step.mayEnd(observing) && step.isDue(observing.endNotBeforeNanos());
    }

    /**
     * Fences a session that nobody has renewed for its ttl (rule L12.2).
     *
     * <p>The machine writes a higher term without a holder, by compare-and-set over the observed version.
     */
    void fence(Observing observing) {
        Instant wall = Instant.ofEpochMilli(step.now.wallMillis());
        LeaseRecord record = LeaseRecord.unheld(
                step.machine.election(),
                Math.max(step.observed.highestTerm(), observing.endEpoch()) + 1,
                step.nonce(step.machine.fenceNonce()),
                step.timing.ttl(),
                wall);
        step.write(RequestKind.FENCE, step.observed.knownVersion(), new Attempt(record, step.now, 0));
    }
}
