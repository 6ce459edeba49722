package dev.doyen.cli.operator;

import dev.doyen.cli.operator.Change.Kind;
import dev.doyen.elector.wording.Spans;
import dev.doyen.elector.wording.Wording;
import dev.doyen.event.Leader;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseOrder;
import dev.doyen.store.LeasePause;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports the changes between two observations of an election; the first report is the present state.
 *
 * <p>Threads: one.
 */
public final class ElectionWatch {

    private boolean begun;
    private Optional<Leader> leader = Optional.empty();
    private Optional<LeasePause> pause = Optional.empty();
    private Optional<LeaseOrder> order = Optional.empty();
    private boolean silent;
    private boolean storeAway;
    private @Nullable Long leaderlessSinceNanos;

    /** The store has answered. */
    public List<Change> seen(Sighting sighting, long nanos, Instant now) {
        var changes = new ArrayList<Change>();
        if (storeAway) {
            storeAway = false;
            changes.add(new Change(Kind.STORE_BACK, leader, "the store answers again"));
        }
        var notes = sighting.record().map(LeaseRecord::notes).orElse(LeaseNotes.NONE);
        var next = sighting.leader(nanos);
        // In causal order: a request precedes the end of a leadership, and so does a pause.
        noteOrder(notes, next, changes);
        notePause(notes, next, now, changes);
        noteLeader(sighting, next, nanos, now, changes);
        noteSilence(sighting, next, nanos, changes);
        begun = true;
        return changes;
    }

    /** The store has not answered. */
    public List<Change> failed(String reason) {
        if (storeAway) {
            return List.of();
        }
        storeAway = true;
        return List.of(new Change(Kind.STORE_AWAY, leader, "the store gives no answer: " + reason));
    }

    private void noteOrder(LeaseNotes notes, Optional<Leader> holder, List<Change> changes) {
        if (!notes.order().equals(order)) {
            order = notes.order();
            order.ifPresent(asked -> changes.add(new Change(
                    Kind.ORDER,
                    holder,
                    holder.map(Wording::text).orElse("the holder") + " is asked " + Wording.text(asked))));
        }
    }

    private void notePause(LeaseNotes notes, Optional<Leader> holder, Instant now, List<Change> changes) {
        if (notes.pause().equals(pause)) {
            return;
        }
        pause = notes.pause();
        changes.add(
                pause.isPresent()
                        ? new Change(Kind.PAUSED, holder, "paused " + Wording.text(pause.get(), now))
                        : new Change(Kind.RESUMED, holder, "the pause is over"));
    }

    private void noteLeader(Sighting sighting, Optional<Leader> next, long nanos, Instant now, List<Change> changes) {
        if (begun && next.equals(leader)) {
            return;
        }
        var before = leader;
        leader = next;
        silent = false;
        if (next.isPresent()) {
            var gap = leaderlessSinceNanos == null ? null : Duration.ofNanos(nanos - leaderlessSinceNanos);
            leaderlessSinceNanos = null;
            changes.add(new Change(Kind.LEADER, next, leads(sighting, next.get(), before, gap, now)));
        } else {
            leaderlessSinceNanos = begun ? nanos : null;
            changes.add(new Change(Kind.NOBODY, next, nobody(sighting, before, nanos, now)));
        }
    }

    private void noteSilence(Sighting sighting, Optional<Leader> next, long nanos, List<Change> changes) {
        // A leader renews several times per ttl, so half a ttl without a write means that it has missed a renewal.
        boolean missed = next.isPresent()
                && sighting.silentFor(nanos).compareTo(sighting.ttl().dividedBy(2)) >= 0;
        if (next.isEmpty() || missed == silent) {
            return;
        }
        silent = missed;
        var who = Wording.text(next.get());
        changes.add(
                missed
                        ? new Change(
                                Kind.SILENT,
                                next,
                                who + " has not been heard of for " + Spans.text(sighting.silentFor(nanos))
                                        + "; its lease runs out in " + Spans.left(sighting.lasts(nanos)))
                        : new Change(Kind.HEARD, next, who + " is heard of again"));
    }

    private String leads(Sighting sighting, Leader next, Optional<Leader> before, @Nullable Duration gap, Instant now) {
        var text = Wording.quoted(next.id()) + " leads in term " + next.term();
        if (!begun) {
            var since = sighting.record().orElseThrow().acquiredAt();
            return text + ", since " + Spans.text(since) + ", " + Spans.ago(since, now);
        }
        if (gap != null) {
            return text + "; nobody led for " + Spans.text(gap);
        }
        return text
                + before.map(old -> ", after " + Wording.text(old) + end(sighting, old))
                        .orElse("");
    }

    private static String nobody(Sighting sighting, Optional<Leader> before, long nanos, Instant now) {
        switch (sighting.standing(nanos)) {
            case NEVER_LED -> {
                return "nobody leads; nobody ever has";
            }
            case RUN_OUT -> {
                return "nobody leads: " + Wording.text(sighting.holder().orElseThrow())
                        + " has shown no life for " + Spans.text(sighting.silentFor(nanos))
                        + " and its lease has run out";
            }
            default -> {
                var heir = sighting.record().flatMap(found -> found.notes().heir());
                return "nobody leads"
                        + before.map(old -> ": " + Wording.text(old) + " is over" + end(sighting, old))
                                .or(() -> sighting.lastPast().map(past -> past(past, now)))
                                .orElse("")
                        + heir.map(next -> "; " + Wording.quoted(next.id()) + " is to follow")
                                .orElse("");
            }
        }
    }

    private static String past(dev.doyen.store.PastTerm past, Instant now) {
        return ": " + Wording.text(new Leader(past.holder(), past.term())) + " was over " + Spans.text(past.until())
                + ", " + Spans.ago(past.until(), now) + ", " + Wording.text(past.end());
    }

    private static String end(Sighting sighting, Leader old) {
        return sighting.record().stream()
                .flatMap(found -> found.notes().past().stream())
                .filter(past -> past.term() == old.term())
                .findFirst()
                .map(past -> ", " + Wording.text(past.end()))
                .orElse("");
    }
}
