package dev.doyen.cli.operator;

import dev.doyen.cli.operator.Change.Kind;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.elector.text.Spans;
import dev.doyen.event.Leader;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports the changes of an election between observations. The first report is the present state.
 *
 * <p>Threads: one.
 */
public final class ElectionWatch {

    private boolean begun;
    private Optional<Leader> leader = Optional.empty();
    private Optional<LeaseNotes.Pause> pause = Optional.empty();
    private Optional<LeaseNotes.StepDownRequest> order = Optional.empty();
    private boolean silent;
    private boolean storeUnavailable;
    private @Nullable Long leaderlessSinceNanos;

    /**
     * Records an answer of the store, and returns the changes since the last answer.
     *
     * @param nanos the present time, by {@link System#nanoTime}
     * @param now the present time, by the wall clock
     */
    public List<Change> seen(ObservedElection observed, long nanos, Instant now) {
        var changes = new ArrayList<Change>();
        if (storeUnavailable) {
            storeUnavailable = false;
            changes.add(new Change(Kind.STORE_AVAILABLE, leader, "the store answers again"));
        }
        var notes = observed.record().map(LeaseRecord::notes).orElse(LeaseNotes.NONE);
        var next = observed.leader(nanos);
        // Report the changes in causal order. An admin command or a pause can cause the end of a leadership, so report
        // the command and the pause first.
        noteOrder(notes, next, changes);
        notePause(notes, next, now, changes);
        noteLeader(observed, next, nanos, now, changes);
        noteSilence(observed, next, nanos, changes);
        begun = true;
        return changes;
    }

    /** Records that the store has not answered. Only the first of several consecutive failures results in a change. */
    public List<Change> failed(String reason) {
        if (storeUnavailable) {
            return List.of();
        }
        storeUnavailable = true;
        return List.of(new Change(Kind.STORE_UNAVAILABLE, leader, "the store gives no answer: " + reason));
    }

    private void noteOrder(LeaseNotes notes, Optional<Leader> holder, List<Change> changes) {
        if (!notes.stepDown().equals(order)) {
            order = notes.stepDown();
            order.ifPresent(request -> changes.add(new Change(
                    Kind.ADMIN_COMMAND,
                    holder,
                    holder.map(ElectionText::text).orElse("the holder") + " is asked " + ElectionText.text(request))));
        }
    }

    private void notePause(LeaseNotes notes, Optional<Leader> holder, Instant now, List<Change> changes) {
        if (notes.pause().equals(pause)) {
            return;
        }
        pause = notes.pause();
        changes.add(
                pause.isPresent()
                        ? new Change(Kind.PAUSED, holder, "paused " + ElectionText.text(pause.get(), now))
                        : new Change(Kind.RESUMED, holder, "the pause is over"));
    }

    private void noteLeader(
            ObservedElection observed, Optional<Leader> next, long nanos, Instant now, List<Change> changes) {
        if (begun && next.equals(leader)) {
            return;
        }
        var before = leader;
        leader = next;
        silent = false;
        if (next.isPresent()) {
            var gap = leaderlessSinceNanos == null ? null : Duration.ofNanos(nanos - leaderlessSinceNanos);
            leaderlessSinceNanos = null;
            changes.add(new Change(Kind.LEADER, next, leads(observed, next.get(), before, gap, now)));
        } else {
            leaderlessSinceNanos = begun ? nanos : null;
            changes.add(new Change(Kind.NOBODY, next, nobody(observed, before, nanos, now)));
        }
    }

    private void noteSilence(ObservedElection observed, Optional<Leader> next, long nanos, List<Change> changes) {
        // A leader renews several times per ttl. Therefore half a ttl without a write means that the leader has
        // missed a renewal.
        boolean missed = next.isPresent()
                && observed.silentFor(nanos).compareTo(observed.ttl().dividedBy(2)) >= 0;
        if (next.isEmpty() || missed == silent) {
            return;
        }
        silent = missed;
        var who = ElectionText.text(next.get());
        changes.add(
                missed
                        ? new Change(
                                Kind.RENEWAL_MISSED,
                                next,
                                who + " has not renewed for " + Spans.text(observed.silentFor(nanos))
                                        + "; its lease expires in " + Spans.left(observed.lasts(nanos)))
                        : new Change(Kind.RENEWED, next, who + " renews again"));
    }

    private String leads(
            ObservedElection observed, Leader next, Optional<Leader> before, @Nullable Duration gap, Instant now) {
        var text = ElectionText.quoted(next.id()) + " leads in term " + next.term();
        if (!begun) {
            var since = observed.record().orElseThrow().acquiredAt();
            return text + ", since " + Spans.text(since) + ", " + Spans.ago(since, now);
        }
        if (gap != null) {
            return text + "; nobody led for " + Spans.text(gap);
        }
        return text
                + before.map(old -> ", after " + ElectionText.text(old) + end(observed, old))
                        .orElse("");
    }

    private static String nobody(ObservedElection observed, Optional<Leader> before, long nanos, Instant now) {
        switch (observed.state(nanos)) {
            case NEVER_LED -> {
                return "nobody leads, and nobody has led before";
            }
            case EXPIRED -> {
                return "nobody leads: " + ElectionText.text(observed.holder().orElseThrow())
                        + " has not renewed for " + Spans.text(observed.silentFor(nanos))
                        + " and its lease has expired";
            }
            default -> {
                var successor = observed.record().flatMap(found -> found.notes().successor());
                return "nobody leads"
                        + before.map(old -> ": " + ElectionText.text(old) + " is over" + end(observed, old))
                                .or(() -> observed.lastPast().map(past -> past(past, now)))
                                .orElse("")
                        + successor
                                .map(next -> "; " + ElectionText.quoted(next.id()) + " is to follow")
                                .orElse("");
            }
        }
    }

    private static String past(LeaseNotes.PastTerm past, Instant now) {
        return ": " + ElectionText.text(new Leader(past.holder(), past.term())) + " was over "
                + Spans.text(past.until()) + ", " + Spans.ago(past.until(), now) + ", " + ElectionText.text(past.end());
    }

    private static String end(ObservedElection observed, Leader old) {
        return observed.record().stream()
                .flatMap(found -> found.notes().past().stream())
                .filter(past -> past.term() == old.term())
                .findFirst()
                .map(past -> ", " + ElectionText.text(past.end()))
                .orElse("");
    }
}
