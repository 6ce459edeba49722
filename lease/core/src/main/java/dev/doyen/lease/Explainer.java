package dev.doyen.lease;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Standing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.Heir;
import dev.doyen.store.LeasePause;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Explains why a candidate leads or not, by the rules that decide it. */
final class Explainer {

    private final Turn turn;
    private final @Nullable Moment confirmed;

    Explainer(Turn turn, @Nullable Moment confirmed) {
        this.turn = turn;
        this.confirmed = confirmed;
    }

    Explanation explain() {
        if (turn.role() instanceof Gone) {
            return say(Reason.GONE, "closed");
        }
        if (turn.role() instanceof Leading leading) {
            String lead = "leads in term " + leading.grant().term();
            return leading.inJeopardy()
                    ? say(Reason.IN_JEOPARDY, lead + ", but a renewal was missed; " + silence())
                    : say(Reason.LEADING, lead);
        }
        if (turn.role() instanceof Stopping stopping) {
            return say(
                    Reason.STOPPING,
                    "term " + stopping.tenancy().term() + " has ended ("
                            + stopping.tenancy().end() + ") and its work has not stopped yet" + release(stopping));
        }
        if (turn.role() instanceof Releasing) {
            return say(Reason.RELEASING, "the lease is being given back");
        }
        if (!turn.sight.isKnown()) {
            return say(Reason.NOT_SEEN, "the record has not been read yet; " + silence());
        }
        return turn.role() instanceof Observing
                ? say(Reason.OBSERVING, "observes; " + holder())
                : explainStanding((Standing) turn.role());
    }

    private Explanation explainStanding(Standing standing) {
        Optional<LeasePause> pause = turn.sight.notes().pause();
        if (turn.fitness == Fitness.PAUSED) {
            return say(Reason.CANDIDATE_PAUSED, "this candidate is paused; " + holder());
        }
        if (turn.fitness == Fitness.WITHOUT_TASK) {
            return say(
                    Reason.WITHOUT_TASK,
                    "whileLeading has ended, and this candidate does not campaign until it is called again; "
                            + holder());
        }
        if (turn.fitness == Fitness.UNFIT) {
            return say(Reason.UNHEALTHY, "this candidate's health check says no; " + holder());
        }
        if (pause.isPresent()) {
            return say(
                    Reason.ELECTION_PAUSED,
                    "the election was paused by " + pause.get().by() + " at "
                            + pause.get().since() + remark(pause.get().reason()));
        }
        if (turn.sight.silentSession(turn.now, turn.sessions).isPresent()) {
            return say(Reason.FENCING, "the holder's session is silent and is being ended; " + holder());
        }
        OptionalLong takeAt = turn.takeAt(standing);
        if (takeAt.isEmpty() && !turn.mayHold()) {
            return say(Reason.NO_SESSION, "this process has no session in the store at the moment; " + silence());
        }
        boolean held = turn.sight.isHeld() && !turn.sight.isHeldBy(standing.me());
        if (held && !turn.sight.isFreeAt(turn.now, turn.sessions)) {
            String wait = turn.sight.epoch().isPresent()
                    ? "its session is alive"
                    : "if it stays silent its lease can be taken in " + until(turn.sight.freeAtNanos());
            return say(Reason.HELD, holder() + "; " + wait);
        }
        if (takeAt.isPresent() && !turn.isDue(takeAt.getAsLong())) {
            return explainStandingBack(standing, until(takeAt.getAsLong()));
        }
        return say(Reason.TAKING, "the lease is free and is being taken; " + silence());
    }

    private Explanation explainStandingBack(Standing standing, String wait) {
        Optional<Heir> heir = turn.manners.heir();
        if (!turn.isDue(standing.notBeforeNanos())) {
            return say(Reason.STANDING_BACK, "the lease is free; this candidate stands back for " + wait);
        }
        return heir.isPresent()
                ? say(Reason.HEIR_FIRST, "the lease is free for \"" + heir.get().id() + "\"; for others in " + wait)
                : say(Reason.PREFERRED_FIRST, "the lease is free; this candidate leaves it to others for " + wait);
    }

    private String release(Stopping stopping) {
        return stopping.releaseAtNanos().isPresent()
                ? "; the lease is released in "
                        + until(stopping.releaseAtNanos().getAsLong()) + " all the same"
                : "";
    }

    private String holder() {
        Optional<Leader> leader = turn.sight.leaderAt(turn.now, turn.sessions);
        return leader.map(l -> "\"" + l.id() + "\" holds term " + l.term() + ", taken at "
                        + turn.sight.record().map(LeaseRecord::acquiredAt).orElseThrow())
                .orElse("nobody leads");
    }

    private String silence() {
        return confirmed == null
                ? "the store has not answered yet"
                : "the store answered " + text(turn.now.nanosSince(confirmed)) + " ago";
    }

    private String until(long atNanos) {
        return text(Math.max(0, atNanos - turn.now.nanos()));
    }

    private static String text(long nanos) {
        return Duration.ofNanos(nanos).toMillis() + " ms";
    }

    private static String remark(String reason) {
        return reason.isEmpty() ? "" : " (" + reason + ")";
    }

    private static Explanation say(Reason reason, String sentence) {
        return new Explanation(reason, sentence);
    }
}
