package dev.doyen;

import dev.doyen.election.Threads;
import dev.doyen.event.Leader;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Writes admin commands into a lease record by compare-and-set. */
final class LeaseControl implements Control {

    /**
     * The maximum number of attempts. An attempt fails if another process writes the record at the same time. The
     * leader renews only a few times per ttl, so this number suffices.
     */
    private static final int MAX_ATTEMPTS = 20;

    private final String election;
    private final LeaseStore store;
    private final Duration ttl;
    private final Threads threads;
    private final String by;

    LeaseControl(String election, LeaseStore store, Duration ttl, Threads threads, String by) {
        this.election = election;
        this.store = store;
        this.ttl = ttl;
        this.threads = threads;
        this.by = ElectionNames.check("who asks", by);
    }

    @Override
    public Optional<Leader> resign(String reason) {
        return order(new LeaseNotes.StepDownRequest("", by, reason));
    }

    @Override
    public Optional<Leader> transferTo(String id, String reason) {
        return order(new LeaseNotes.StepDownRequest(ElectionNames.check("candidate id", id), by, reason));
    }

    @Override
    public void pause(String reason) {
        var pause = new LeaseNotes.Pause(by, reason, wall());
        note(found -> Optional.of(found.withPause(Optional.of(pause))));
    }

    @Override
    public Optional<LeaseNotes.Pause> resume() {
        return note(found ->
                        found.pause().isPresent() ? Optional.of(found.withPause(Optional.empty())) : Optional.empty())
                .record()
                .flatMap(before -> before.notes().pause());
    }

    private Optional<Leader> order(LeaseNotes.StepDownRequest order) {
        VersionedLease before = change(lease -> lease.record()
                .filter(LeaseRecord::isHeld)
                .map(held -> held.noting(held.notes().withStepDownRequest(order), nonce())));
        return before.record().filter(LeaseRecord::isHeld).map(held -> new Leader(held.holder(), held.term()));
    }

    /**
     * Changes the notes in the record. If the notes change and the election has no record, this method creates a record
     * without a holder.
     *
     * @param change the function that returns the new notes; an empty result leaves the notes unchanged
     */
    private VersionedLease note(Function<LeaseNotes, Optional<LeaseNotes>> change) {
        return change(lease -> change.apply(
                        lease.record().map(LeaseRecord::notes).orElse(LeaseNotes.NONE))
                .map(notes -> lease.record().orElseGet(() -> untouched(lease)).noting(notes, nonce())));
    }

    /**
     * Writes the record that {@code change} returns, unless the result is empty. Returns the record before the
     * change.
     */
    private VersionedLease change(Function<VersionedLease, Optional<LeaseRecord>> change) {
        VersionedLease current = store.read(election);
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            Optional<LeaseRecord> next = change.apply(current);
            if (next.isEmpty()) {
                return current;
            }
            CasOutcome outcome = store.compareAndSet(election, current.version(), next.get());
            if (outcome instanceof CasOutcome.Written) {
                return current;
            }
            if (outcome instanceof CasOutcome.Unknown unknown) {
                throw new StoreUnavailableException("it is unknown whether the lease of \"" + election
                        + "\" was changed (" + unknown.reason()
                        + "); read the lease, and repeat the command if necessary");
            }
            current = ((CasOutcome.Conflict) outcome).current();
        }
        throw new StoreUnavailableException("the lease of \"" + election + "\" changed during each of " + MAX_ATTEMPTS
                + " attempts to write it; repeat the command");
    }

    private LeaseRecord untouched(VersionedLease absent) {
        return LeaseRecord.unheld(election, Math.max(1, absent.highestTerm()), nonce(), ttl, wall());
    }

    private Instant wall() {
        return Instant.ofEpochMilli(threads.now().wallMillis());
    }

    private static String nonce() {
        return "control." + UUID.randomUUID();
    }
}
