package dev.doyen.lease;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.health.WithdrawalExplanation;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Explains why a candidate leads, or does not lead. Applies the same rules as the machine. */
final class Explainer {

    private final StepContext step;
    private final @Nullable Moment confirmed;
    private final Optional<StoreFault> fault;
    private final Optional<StoreFault> sessionFault;

    Explainer(StepContext step, @Nullable Moment confirmed, Optional<StoreFault> sessionFault) {
        this.step = step;
        this.confirmed = confirmed;
        this.fault = StoreFault.present(step.readFault, step.writeFault);
        this.sessionFault = sessionFault;
    }

    Explanation explain() {
        if (step.role() instanceof Gone) {
            return explanation(Reason.GONE, "closed");
        }
        if (step.role() instanceof Leading leading) {
            String lead = "leads in term " + leading.leaderLease().term();
            return leading.inJeopardy()
                    ? explanation(
                            Reason.IN_JEOPARDY,
                            lead + ", but a renewal was missed; " + silence() + also(fault.or(() -> sessionFault)))
                    : explanation(Reason.LEADING, lead);
        }
        if (step.role() instanceof Stopping stopping) {
            return explanation(
                    Reason.STOPPING,
                    "term " + stopping.endedTerm().term() + " has ended ("
                            + stopping.endedTerm().end() + ") and its work has not stopped yet" + release(stopping));
        }
        if (step.role() instanceof Releasing) {
            return explanation(Reason.RELEASING, "the lease is being released" + also(fault));
        }
        if (!step.observed.isKnown()) {
            return fault.map(this::explainFault)
                    .orElseGet(() -> explanation(Reason.NOT_SEEN, "the record has not been read yet; " + silence()));
        }
        return step.role() instanceof Observing ? explainObserving() : explainCampaigning((Campaigning) step.role());
    }

    private Explanation explainObserving() {
        boolean led = step.observed.leaderAt(step.now, step.sessions).isPresent();
        return fault.filter(present -> !led)
                .map(this::explainFault)
                .orElseGet(() -> explanation(Reason.OBSERVING, "observes; " + holder() + also(fault)));
    }

    private Explanation explainFault(StoreFault present) {
        return present.refused()
                ? explanation(Reason.STORE_REFUSES, sentence(present))
                : explanation(Reason.STORE_AWAY, sentence(present) + "; " + silence());
    }

    private static String sentence(StoreFault present) {
        return (present.refused()
                        ? "the store rejects the requests of this process: "
                        : "the store returns no usable answer: ")
                + present.reason();
    }

    private static String also(Optional<StoreFault> present) {
        return present.map(each -> "; " + sentence(each)).orElse("");
    }

    private Explanation explainCampaigning(Campaigning campaigning) {
        Optional<LeaseNotes.Pause> pause = step.observed.notes().pause();
        if (!step.eligibility.mayCampaign()) {
            return WithdrawalExplanation.of(step.eligibility.lossCause(), holder())
                    .orElseThrow();
        }
        if (pause.isPresent()) {
            return explanation(
                    Reason.ELECTION_PAUSED,
                    "the election was paused by " + pause.get().by() + " at "
                            + pause.get().since() + remark(pause.get().reason()));
        }
        if (step.observed.silentSession(step.now, step.sessions).isPresent()) {
            return explanation(Reason.FENCING, "the holder's session is silent and is being ended; " + holder());
        }
        OptionalLong takeAt = step.takeAt(campaigning);
        if (takeAt.isEmpty() && !step.mayHold()) {
            return sessionFault
                    .or(() -> fault)
                    .map(this::explainFault)
                    .orElseGet(() -> explanation(
                            Reason.NO_SESSION, "this process has no session in the store at the moment; " + silence()));
        }
        boolean held = step.observed.isHeld() && !step.observed.isHeldBy(campaigning.me());
        if (held && !step.observed.isFreeAt(step.now, step.sessions)) {
            String wait = step.observed.epoch().isPresent()
                    ? "its session is alive"
                    : "if the holder does not renew it, its lease can be taken in "
                            + until(step.observed.freeAtNanos());
            return step.takeoverPolicy.mustAskOlder(campaigning.me())
                    ? explanation(
                            Reason.ASKING,
                            holder() + ", but is of an older generation; this candidate asks it to hand over"
                                    + also(fault))
                    : explanation(Reason.HELD, holder() + "; " + wait + also(fault));
        }
        if (fault.isPresent()) {
            return explainFault(fault.get());
        }
        if (takeAt.isPresent() && !step.isDue(takeAt.getAsLong())) {
            return explainDelay(campaigning, until(takeAt.getAsLong()));
        }
        return explanation(Reason.TAKING, "the lease is free and is being taken; " + silence());
    }

    private Explanation explainDelay(Campaigning campaigning, String wait) {
        Optional<LeaseNotes.Successor> successor = step.takeoverPolicy.successor();
        if (!step.isDue(campaigning.notBeforeNanos())) {
            return explanation(
                    Reason.COOLDOWN, "the lease is free; this candidate does not campaign for another " + wait);
        }
        return successor.isPresent()
                ? explanation(
                        Reason.SUCCESSOR_FIRST,
                        "the lease is free; only \"" + successor.get().id() + "\" may take it for another " + wait)
                : explanation(
                        Reason.PREFERRED_FIRST,
                        "the lease is free; other candidates may take it first, for another " + wait);
    }

    private String release(Stopping stopping) {
        return stopping.releaseAtNanos().isPresent()
                ? "; the lease is released in "
                        + until(stopping.releaseAtNanos().getAsLong()) + " even if the work continues"
                : "";
    }

    private String holder() {
        Optional<Leader> leader = step.observed.leaderAt(step.now, step.sessions);
        return leader.map(l -> "\"" + l.id() + "\" holds term " + l.term() + ", taken at "
                        + step.observed.record().map(LeaseRecord::acquiredAt).orElseThrow())
                .orElse("nobody leads");
    }

    private String silence() {
        return confirmed == null
                ? "the store has not answered yet"
                : "the store answered " + text(step.now.nanosSince(confirmed)) + " ago";
    }

    private String until(long atNanos) {
        return text(Math.max(0, atNanos - step.now.nanos()));
    }

    private static String text(long nanos) {
        return Duration.ofNanos(nanos).toMillis() + " ms";
    }

    private static String remark(String reason) {
        return reason.isEmpty() ? "" : " (" + reason + ")";
    }

    private static Explanation explanation(Reason reason, String sentence) {
        return new Explanation(reason, sentence);
    }
}
