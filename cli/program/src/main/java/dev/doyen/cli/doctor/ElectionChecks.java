package dev.doyen.cli.doctor;

import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.election.LeaseTiming;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.elector.text.Spans;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Evaluates one election from the observations that were made during the other checks. */
public final class ElectionChecks {

    private static final Set<LossCause> UNINTENDED =
            EnumSet.of(LossCause.EXPIRED, LossCause.SUSPENDED, LossCause.SUPERSEDED);

    private static final int RECENT_TERMS = 6;
    private static final int TOO_MANY_LOST = 3;

    private final String name;
    private final ObservedElection observed;
    private final long nanos;
    private final Instant now;

    /**
     * Creates the checks of an election, as it was observed at {@code nanos}.
     *
     * @param now the same moment on this machine's wall clock, for the sentences
     */
    public ElectionChecks(String name, ObservedElection observed, long nanos, Instant now) {
        this.name = name;
        this.observed = observed;
        this.nanos = nanos;
        this.now = now;
    }

    /**
     * Returns the results of all checks.
     *
     * @param expected the durations that follow from the user's ttl; empty if the user passed no ttl
     */
    public List<Check> of(Optional<LeaseTiming> expected) {
        var checks = new ArrayList<Check>();
        checks.add(leader());
        observed.record().ifPresent(record -> {
            pause(record.notes()).ifPresent(checks::add);
            order(record.notes()).ifPresent(checks::add);
            record.epoch().map(this::session).ifPresent(checks::add);
            expected.flatMap(timing -> ttl(record, timing)).ifPresent(checks::add);
            past(record.notes()).ifPresent(checks::add);
        });
        return checks;
    }

    private Check leader() {
        var holder = observed.holder().map(ElectionText::text).orElse("nobody");
        switch (observed.state(nanos)) {
            case NEVER_LED -> {
                return Check.warn(
                        "leader",
                        ElectionText.quoted(name) + " has no record in this store: it has never had a leader",
                        "start a candidate, or check the name and the store's URL");
            }
            case FREE -> {
                var since = observed.lastPast()
                        .map(past -> " since " + Spans.text(past.until()) + ", " + Spans.ago(past.until(), now) + " ("
                                + ElectionText.text(past.end()) + ")")
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
                                + ", and no candidate has taken over",
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
                        text + ", which is longer than its ttl",
                        "doyen leader " + shell(name) + " --certain shows whether it still leads")
                : Check.ok("leader", text);
    }

    private Optional<Check> pause(LeaseNotes notes) {
        return notes.pause()
                .map(pause -> Check.warn(
                        "pause",
                        "paused " + ElectionText.text(pause, now) + ": nobody can lead",
                        "doyen resume " + shell(name) + " ends the pause"));
    }

    private Optional<Check> order(LeaseNotes notes) {
        return notes.stepDown()
                .filter(order -> observed.leader(nanos).isPresent())
                .map(order -> Check.warn(
                        "command",
                        "the leader is asked " + ElectionText.text(order) + ", and has not done so yet",
                        "wait for its next renewal, or for its work to stop"));
    }

    private Check session(LeaseRecord.Epoch under) {
        var where = under.session() + ", epoch " + under.term();
        var session = observed.snapshot().session().flatMap(VersionedLease::record);
        if (session.isEmpty()) {
            return Check.fail(
                    "session",
                    "the lease is held under " + where + ", which has no record",
                    "never delete records of sessions; the lease is free once the session has been missing for its"
                            + " ttl");
        }
        return observed.state(nanos) == ObservedElection.State.FREE
                ? Check.warn(
                        "session",
                        "the lease was held under " + where + ", which has ended",
                        "do nothing if a candidate runs, because it acquires the lease")
                : Check.ok(
                        "session",
                        "held under " + where + ", of " + session.get().holder() + ", renewed "
                                + Spans.ago(session.get().renewedAt(), now));
    }

    private Optional<Check> ttl(LeaseRecord record, LeaseTiming expected) {
        return record.ttl().equals(expected.ttl())
                ? Optional.empty()
                : Optional.of(Check.warn(
                        "ttl",
                        "the record was written with a ttl of " + Spans.text(record.ttl()) + ", not "
                                + Spans.text(expected.ttl()),
                        "give all candidates the same ttl"));
    }

    private Optional<Check> past(LeaseNotes notes) {
        var recent = notes.past().stream().limit(RECENT_TERMS).toList();
        if (recent.isEmpty()) {
            return Optional.empty();
        }
        long lost =
                recent.stream().filter(past -> UNINTENDED.contains(past.end())).count();
        var text = "of the last " + recent.size() + " terms " + lost + " ended by a failure";
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

    /** Returns the name, quoted for a shell if necessary. */
    private static String shell(String name) {
        return name.matches("[A-Za-z0-9._:/-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
    }
}
