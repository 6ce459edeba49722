package dev.doyen.simulator.invariants;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Moment;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Checks rule L7: a term ends at the required time, and for the reported reason.
 *
 * <p>A conflict that shows another holder ends the term in the same step, if the conflict arrives before the request
 * timeout. A term expires only if the renewal deadline (D) has passed since the last confirmed write was sent. A term
 * is superseded only if an answer contained another holder, another term or no record. A term ends by resignation,
 * transfer, pause, health or close only after a corresponding request.
 */
public final class LossHasAReason implements Witness {

    private static final String NAME = "LossHasAReason";

    private final Map<SimCandidate, Known> all = new HashMap<>();

    private static final class Known {
        long request;
        long term;
        boolean open;
        Moment sentAt = new Moment(0, 0);
        Moment confirmedSendAt = new Moment(0, 0);
        /**
         * The value of {@code confirmedSendAt} before the current input.
         *
         * <p>A machine checks the deadline before it processes an answer, so the deadline counts from this value.
         */
        Moment confirmedBefore = confirmedSendAt;

        final Map<String, Moment> sends = new HashMap<>();
        LeaseInput last = new LeaseInput.Woken(sentAt);
    }

    @Override
    public void sent(SimCandidate candidate, LeaseEffect.Write write) {
        Known known = known(candidate);
        known.request = write.request();
        if (known.term != write.next().term()) {
            known.term = write.next().term();
            known.sends.clear();
        }
        known.sentAt = known.last.at();
        known.open = write.next().isHeld();
        known.sends.put(write.next().nonce(), known.sentAt);
    }

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        Known known = known(candidate);
        known.last = input;
        known.confirmedBefore = known.confirmedSendAt;
        if (!(input instanceof LeaseInput.Answered answered) || !known.open || answered.request() != known.request) {
            return;
        }
        known.open = false;
        boolean inTime = input.at().nanosSince(known.sentAt)
                < candidate.process().timing().requestTimeout().toNanos();
        // After the request timeout the machine can ignore the answer, because the outcome of the request then counts
        // as unknown.
        if (inTime && answered.outcome() instanceof CasOutcome.Written) {
            known.confirmedSendAt = known.sentAt;
        } else if (inTime && answered.outcome() instanceof CasOutcome.Conflict conflict) {
            conflict.current()
                    .record()
                    .map(record -> known.sends.get(record.nonce()))
                    .ifPresent(sentAt -> known.confirmedSendAt = sentAt);
        }
        if (inTime && isAnothers(candidate, known.term, answered) && candidate.isLeader()) {
            throw new Violation(NAME, candidate + " still leads in term " + known.term + " after " + answered);
        }
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        if (event instanceof ElectionEvent.Elected) {
            Known known = known(candidate);
            known.confirmedSendAt = known.sentAt;
        } else if (event instanceof ElectionEvent.Lost lost) {
            Known known = known(candidate);
            if (!isDue(candidate, lost, known)) {
                throw new Violation(NAME, candidate + " receives " + lost + " without a reason, at " + known.last);
            }
        }
    }

    private static boolean isDue(SimCandidate candidate, ElectionEvent.Lost lost, Known known) {
        long deadline = candidate.process().timing().deadline().toNanos();
        Moment now = known.last.at();
        return switch (lost.cause()) {
            case EXPIRED -> now.nanosSince(known.confirmedBefore) >= deadline;
            // Faults can set the wall clock forward and back. The check then cannot determine from which write the
            // machine counts the deadline, so it accepts any write.
            case SUSPENDED ->
                known.sends.values().stream().anyMatch(sentAt -> now.wallMillisSince(sentAt) >= deadline / 1_000_000);
            case SUPERSEDED ->
                known.last instanceof LeaseInput.Answered answered && isAnothers(candidate, lost.term(), answered);
            case RESIGNED ->
                known.last instanceof LeaseInput.Withdraw
                        || (known.last instanceof LeaseInput.Resign resign
                                && resign.successor().isEmpty())
                        || shows(
                                known,
                                notes -> notes.stepDown()
                                        .filter(request -> request.to().isEmpty())
                                        .isPresent());
            case TRANSFERRED ->
                known.last instanceof LeaseInput.Resign
                        || shows(
                                known,
                                notes -> notes.stepDown()
                                        .filter(request -> !request.to()
                                                .equals(candidate.me().id()))
                                        .isPresent());
            case PAUSED ->
                (known.last instanceof LeaseInput.EligibilityChanged judged
                                && judged.eligibility() == Eligibility.PAUSED)
                        || shows(known, notes -> notes.pause().isPresent());
            case UNHEALTHY ->
                known.last instanceof LeaseInput.EligibilityChanged judged && judged.eligibility() != Eligibility.FIT;
            case CLOSED -> known.last instanceof LeaseInput.Leave;
        };
    }

    /**
     * Returns true if the current input is a conflict with matching notes.
     *
     * <p>The method applies {@code which} to the notes of the record in the conflict.
     */
    private static boolean shows(Known known, Predicate<LeaseNotes> which) {
        return known.last instanceof LeaseInput.Answered answered
                && answered.outcome() instanceof CasOutcome.Conflict conflict
                && conflict.current()
                        .record()
                        .map(LeaseRecord::notes)
                        .filter(which)
                        .isPresent();
    }

    private static boolean isAnothers(SimCandidate candidate, long term, LeaseInput.Answered answered) {
        if (!(answered.outcome() instanceof CasOutcome.Conflict conflict)) {
            return false;
        }
        LeaseRecord stored = conflict.current().record().orElse(null);
        return stored == null
                || stored.term() != term
                || !stored.incarnation().equals(candidate.me().incarnation());
    }

    private Known known(SimCandidate candidate) {
        return all.computeIfAbsent(candidate, c -> new Known());
    }
}
