package dev.doyen.lease;

import static dev.doyen.lease.Stage.ME;
import static dev.doyen.lease.Stage.OTHER;
import static dev.doyen.lease.Stage.heldBy;
import static dev.doyen.lease.Stage.released;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests rule M2: a named successor acquires the lease at once, even during its cooldown. */
final class SuccessorTest {

    private static final Duration COOLDOWN = Duration.ofMinutes(10);

    @Test
    void a_successor_in_its_cooldown_acquires_the_lease_at_once() {
        var stage = inCooldown();
        stage.found(heldBy(OTHER, 2, "3"));
        findNext(stage, naming(ME.id(), 2, "4"));

        assertThat(stage.write().next().holder()).isEqualTo(ME.id());
        assertThat(stage.write().next().term()).isEqualTo(3);
    }

    @Test
    void a_candidate_stays_in_its_cooldown_if_it_is_not_the_successor() {
        for (VersionedLease free : new VersionedLease[] {naming("third", 2, "4"), released(2, "4")}) {
            var stage = inCooldown();
            stage.found(heldBy(OTHER, 2, "3"));
            findNext(stage, free);
            long until = stage.now().nanos() + COOLDOWN.toNanos() / 2;
            while (stage.now().nanos() < until) {
                assertThat(stage.wrote()).isFalse();
                stage.sleepAndWake();
                if (stage.readAnswered()) {
                    stage.found(free);
                }
            }
        }
    }

    @Test
    void a_successor_whose_work_still_stops_has_no_cooldown_afterwards() {
        var stage = Stage.leading().resign(COOLDOWN);
        // The lease of ME expires while the work of ME still runs. Meanwhile OTHER leads in term 2 and releases the
        // lease.
        stage.pass(11_000).wake();
        stage.found(naming(ME.id(), 2, "4"));
        stage.workStopped(1);
        stage.answered(new CasOutcome.Conflict(naming(ME.id(), 2, "4")));

        assertThat(stage.write().next().term()).isEqualTo(3);
    }

    @Test
    void a_transfer_does_not_shorten_the_backoff_after_a_failed_attempt() {
        var stage = inCooldown();
        stage.found(heldBy(OTHER, 2, "3"));
        var named = naming(ME.id(), 2, "4");
        findNext(stage, named);
        stage.answered(new CasOutcome.Unknown("timed out"));
        assertThat(stage.wrote()).isFalse();

        long failed = stage.now().nanos();
        while (!stage.wrote()) {
            stage.sleepAndWake();
            if (stage.readAnswered()) {
                stage.found(named);
            }
        }
        assertThat(stage.now().nanos() - failed).isEqualTo(stage.machine.retryPauseNanos());
    }

    /** Returns a stage where ME has led term 1 and resigned. A read is in flight. */
    private static Stage inCooldown() {
        var stage = Stage.leading().resign(COOLDOWN);
        stage.workStopped(1).written("2");
        while (!stage.readAnswered()) {
            stage.sleepAndWake();
        }
        return stage;
    }

    private static void findNext(Stage stage, VersionedLease lease) {
        do {
            stage.sleepAndWake();
        } while (!stage.readAnswered());
        stage.found(lease);
    }

    private static VersionedLease naming(String id, long term, String version) {
        VersionedLease free = released(term, version);
        LeaseRecord record = free.record().orElseThrow();
        var successor = new LeaseNotes.Successor(id, Duration.ofSeconds(5));
        return VersionedLease.of(
                free.version(), record.noting(record.notes().withSuccessor(Optional.of(successor)), record.nonce()));
    }
}
