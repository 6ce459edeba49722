package dev.doyen.lease;

import dev.doyen.election.LeaseTiming;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A lease machine that a test controls. The test moves the clocks, answers requests in place of the store, and reads
 * the effects.
 */
final class Stage {

    static final LeaseTiming TIMING = LeaseTiming.ofTtl(Duration.ofSeconds(10));
    static final Identity ME = new Identity("me", "me-1");
    static final Identity OTHER = new Identity("other", "other-1");

    final LeaseMachine machine;
    LeaseState state;
    List<LeaseEffect> effects = List.of();
    long wakeAtNanos;

    private long nanos = 1_000_000_000_000L;
    private long wallMillis = 1_700_000_000_000L;

    Stage() {
        this(false);
    }

    /** @param watched true if the store announces changes */
    Stage(boolean watched) {
        this(new LeaseMachine("orders", TIMING, watched, 7));
    }

    Stage(LeaseMachine machine) {
        this.machine = machine;
        state = machine.begin(now());
    }

    /** Returns a stage where ME leads in term 1. The record has the version "1". No time has passed. */
    static Stage leading() {
        var stage = new Stage();
        stage.campaign();
        stage.found(VersionedLease.ABSENT);
        stage.written("1");
        return stage;
    }

    /** Returns the lease "orders" with version "8". OTHER holds it in term 8 under {@code epoch}. */
    static VersionedLease heldUnder(LeaseRecord.Epoch epoch, LeaseNotes notes) {
        var record = new LeaseRecord(
                "orders",
                OTHER.id(),
                OTHER.incarnation(),
                8,
                "n",
                TIMING.ttl(),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0,
                Optional.of(epoch),
                notes);
        return VersionedLease.of(new LeaseVersion("8"), record);
    }

    Moment now() {
        return new Moment(nanos, wallMillis);
    }

    /** Moves both clocks, without a step of the machine. */
    Stage pass(long millis) {
        nanos += millis * 1_000_000;
        wallMillis += millis;
        return this;
    }

    /** Moves only the wall clock, as a suspension of the computer does. */
    Stage jumpWall(long millis) {
        wallMillis += millis;
        return this;
    }

    Stage wake() {
        return take(new LeaseInput.Woken(now()));
    }

    /**
     * Moves the clocks to the machine's next wake time, and wakes the machine.
     *
     * <p>The clocks move by a whole number of milliseconds, rounded up.
     */
    Stage sleepAndWake() {
        return pass((wakeAtNanos - nanos + 999_999) / 1_000_000).wake();
    }

    Stage campaign() {
        return take(new LeaseInput.Campaign(now(), ME));
    }

    Stage take(LeaseInput input) {
        LeaseStep step = machine.step(state, input);
        state = step.next();
        effects = step.effects();
        wakeAtNanos = step.wakeAtNanos();
        return this;
    }

    /** Answers the read in flight with {@code lease}. */
    Stage found(VersionedLease lease) {
        return take(new LeaseInput.ReadAnswered(now(), pending(), lease));
    }

    /** Fails the read in flight. */
    Stage failed(StoreFault fault) {
        return take(new LeaseInput.ReadFailed(now(), pending(), fault));
    }

    /** Confirms the write in flight. After the write, the record has the given version. */
    Stage written(String version) {
        return answered(new CasOutcome.Written(new LeaseVersion(version)));
    }

    Stage answered(CasOutcome outcome) {
        return take(new LeaseInput.Answered(now(), pending(), outcome));
    }

    Stage answered(long request, CasOutcome outcome) {
        return take(new LeaseInput.Answered(now(), request, outcome));
    }

    Stage resign(Duration cooldown) {
        return take(new LeaseInput.Resign(now(), 0, cooldown, ""));
    }

    Stage leave() {
        return take(new LeaseInput.Leave(now()));
    }

    Stage workStopped(long term) {
        return take(new LeaseInput.WorkStopped(now(), term));
    }

    /** Returns the number of the request in flight. */
    long pending() {
        LeaseState.Request request = state.inFlight();
        if (request == null) {
            throw new AssertionError("no request is in flight; the effects are " + effects);
        }
        return request.number();
    }

    boolean hasPending() {
        return state.inFlight() != null;
    }

    boolean leads() {
        return state.leaderLease().filter(g -> g.holdsAt(now())).isPresent();
    }

    /** Returns the write among the effects of the last step. */
    LeaseEffect.Write write() {
        return effects.stream()
                .filter(LeaseEffect.Write.class::isInstance)
                .map(LeaseEffect.Write.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no write was sent; the effects are " + effects));
    }

    boolean wrote() {
        return effects.stream().anyMatch(LeaseEffect.Write.class::isInstance);
    }

    boolean readAnswered() {
        return effects.stream().anyMatch(LeaseEffect.Read.class::isInstance);
    }

    /** Returns the events among the effects of the last step. */
    List<ElectionEvent> events() {
        var events = new ArrayList<ElectionEvent>();
        for (LeaseEffect effect : effects) {
            if (effect instanceof LeaseEffect.Report report) {
                events.add(report.event());
            }
        }
        return events;
    }

    /** Returns a lease that {@code holder} holds. */
    static VersionedLease heldBy(Identity holder, long term, String version) {
        return VersionedLease.of(new LeaseVersion(version), record(holder, term, holder.incarnation() + "." + version));
    }

    static VersionedLease released(long term, String version) {
        var empty = new LeaseRecord(
                "orders",
                "",
                "",
                term,
                "n." + version,
                TIMING.ttl(),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.ofText("left behind"),
                3);
        return VersionedLease.of(new LeaseVersion(version), empty);
    }

    static LeaseRecord record(Identity holder, long term, String nonce) {
        return new LeaseRecord(
                "orders",
                holder.id(),
                holder.incarnation(),
                term,
                nonce,
                TIMING.ttl(),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }
}
