package dev.doyen.cli.doctor;

import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.election.LeaseTiming;
import dev.doyen.elector.wording.Spans;
import dev.doyen.elector.wording.Wording;
import dev.doyen.event.LossCause;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Evaluates one election by what was observed during all other checks. */
public final class ElectionChecks {

    private static final Set<LossCause> AGAINST_THE_LEADERS_WILL =
            EnumSet.of(LossCause.EXPIRED, LossCause.SUSPENDED, LossCause.SUPERSEDED);

    private static final int RECENT_TERMS = 6;
    private static final int TOO_MANY_LOST = 3;

    private final String name;
    private final ObservedElection observed;
    private final long nanos;
    private final Instant now;

    /**
     * Evaluates what was observed until {@code nanos}.
     *
     * @param now the same moment by this machine's wall clock, for people
     */
    public ElectionChecks(String name, ObservedElection observed, long nanos, Instant now) {
        this.name = name;
        this.observed = observed;
        this.nanos = nanos;
        this.now = now;
    }

    /**
     * Returns all results.
     *
     * @param asked the durations of the ttl that the user named, if any
     */
    public List<Check> of(Optional<LeaseTiming> asked) {
        var checks = new ArrayList<Check>();
        checks.add(leader());
        observed.record().ifPresent(record -> {
            pause(record.notes()).ifPresent(checks::add);
            order(record.notes()).ifPresent(checks::add);
            record.epoch().map(this::session).ifPresent(checks::add);
            asked.flatMap(timing -> ttl(record, timing)).ifPresent(checks::add);
            past(record.notes()).ifPresent(checks::add);
        });
        return checks;
    }

    private Check leader() {
        var holder = observed.holder().map(Wording::text).orElse("nobody");
        switch (observed.state(nanos)) {
            case NEVER_LED -> {
                return Check.warn(
                        "leader",
                        Wording.quoted(name) + " has no record in this store: nobody has ever led it",
                        "start a candidate, or check the name and the store's URL");
            }
            case FREE -> {
                var since = observed.lastPast()
                        .map(past -> " since " + Spans.text(past.until()) + ", " + Spans.ago(past.until(), now) + " ("
                                + Wording.text(past.end()) + ")")
                        .orElse("");
                return Check.warn(
                        "leader",
                        "nobody leads" + since,
                        isPaused() ? "it is paused, see below" : "start a candidate, or see why none takes the lease");
            }
            case EXPIRED -> {
                return Check.fail(
                        "leader",
                        holder + " has not renewed for " + Spans.text(observed.silentFor(nanos))
                                + ", and nobody has taken over",
                        "start a candidate");
            }
            case LED -> {
                return Check.ok("leader", holder + " leads " + since() + ", and renewed its lease");
            }
            case NAMED -> {
                return named(holder);
            }
        }
        throw new IllegalStateException("no such state");
    }

    private Check named(String holder) {
        var renewed = observed.renewedAt().orElse(now);
        var text = holder + " is named as the leader " + since() + "; renewed " + Spans.text(renewed) + ", "
                + Spans.ago(renewed, now) + " by its own clock";
        return renewed.plus(observed.ttl()).isBefore(now)
                ? Check.warn(
                        "leader",
                        text + ", longer than its lease lasts",
                        "doyen leader " + shell(name) + " --certain shows whether it lives")
                : Check.ok("leader", text);
    }

    private Optional<Check> pause(LeaseNotes notes) {
        return notes.pause()
                .map(pause -> Check.warn(
                        "pause",
                        "paused " + Wording.text(pause, now) + ": nobody can lead",
                        "doyen resume " + shell(name) + " ends the pause"));
    }

    private Optional<Check> order(LeaseNotes notes) {
        return notes.stepDown()
                .filter(order -> observed.leader(nanos).isPresent())
                .map(order -> Check.warn(
                        "command",
                        "the leader is asked " + Wording.text(order) + ", and has not yet done so",
                        "wait for its next renewal, or for its work to stop"));
    }

    private Check session(Epoch under) {
        var where = under.session() + ", epoch " + under.term();
        var session = observed.snapshot().session().flatMap(VersionedLease::record);
        if (session.isEmpty()) {
            return Check.fail(
                    "session",
                    "the lease is held under " + where + ", which has no record",
                    "never delete records of sessions; the lease is free once the session has been missing for its ttl");
        }
        return observed.state(nanos) == ObservedElection.State.FREE
                ? Check.warn(
                        "session",
                        "the lease was held under " + where + ", which is over",
                        "nothing if a candidate runs, because it acquires the lease")
                : Check.ok(
                        "session",
                        "held under " + where + ", of " + session.get().holder() + ", renewed "
                                + Spans.ago(session.get().renewedAt(), now));
    }

    private Optional<Check> ttl(LeaseRecord record, LeaseTiming asked) {
        return record.ttl().equals(asked.ttl())
                ? Optional.empty()
                : Optional.of(Check.warn(
                        "ttl",
                        "the record was written with a ttl of " + Spans.text(record.ttl()) + ", not "
                                + Spans.text(asked.ttl()),
                        "give all candidates the same ttl"));
    }

    private Optional<Check> past(LeaseNotes notes) {
        var recent = notes.past().stream().limit(RECENT_TERMS).toList();
        if (recent.isEmpty()) {
            return Optional.empty();
        }
        long lost = recent.stream()
                .filter(past -> AGAINST_THE_LEADERS_WILL.contains(past.end()))
                .count();
        var text = "of the last " + recent.size() + " terms " + lost + " ended against the leader's will";
        return Optional.of(
                lost >= TOO_MANY_LOST
                        ? Check.warn(
                                "past",
                                text,
                                "see doyen history " + shell(name)
                                        + "; look for crashes, pauses and a slow store, or use a longer ttl")
                        : Check.ok("past", text));
    }

    private boolean isPaused() {
        return observed.record().flatMap(record -> record.notes().pause()).isPresent();
    }

    private String since() {
        return observed.record()
                .map(record -> "since " + Spans.text(record.acquiredAt()) + ", " + Spans.ago(record.acquiredAt(), now))
                .orElse("");
    }

    /** Quotes a name for a shell. */
    private static String shell(String name) {
        return name.matches("[A-Za-z0-9._:/-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
    }
}
