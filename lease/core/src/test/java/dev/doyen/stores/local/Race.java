package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Four writers raise the term in an {@link Interleaving} by compare-and-set. One more thread can delete the record.
 *
 * <p>The race checks that each version is replaced at most once, that no reader reads a rejected write, and that no
 * update is lost.
 */
final class Race {

    /** Reads and writes one record of the tested storage. */
    record Register(Reading read, Writing write) {}

    interface Reading {
        VersionedLease get() throws IOException;
    }

    interface Writing {
        CasOutcome over(LeaseVersion expected, LeaseRecord next) throws IOException;
    }

    private final long seed;
    private final Interleaving turns;
    private final Map<Replaced, LeaseVersion> successors = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private final List<CasOutcome> outcomes = new ArrayList<>();

    interface Deleting {
        /** Deletes the record if its version is still that of {@code lease}. */
        void delete(VersionedLease lease) throws IOException;
    }

    /** A state of the record that only one write may replace. Each deletion makes a state with a higher term floor. */
    private record Replaced(LeaseVersion version, long termFloor) {}

    private Race(long seed) {
        this.seed = seed;
        this.turns = new Interleaving(seed);
    }

    /** Runs the race, and returns the number of {@linkplain Interleaving#late late} writes. */
    static int run(long seed, Function<LeaseFolder, Register> registers) throws InterruptedException {
        return run(seed, registers, folder -> Optional.empty());
    }

    /** Runs the race. If {@code deletings} returns a deletion, one more thread repeats this deletion. */
    static int run(
            long seed, Function<LeaseFolder, Register> registers, Function<LeaseFolder, Optional<Deleting>> deletings)
            throws InterruptedException {
        var race = new Race(seed);
        List<Runnable> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int id = i;
            var register = registers.apply(race.turns.folder(id));
            writers.add(() -> race.raise(register, id));
        }
        LeaseFolder last = race.turns.folder(writers.size());
        var register = registers.apply(last);
        deletings.apply(last).ifPresent(deleting -> writers.add(() -> race.delete(register, deleting)));
        race.turns.run(writers);
        race.checkEnd(registers.apply(race.turns.folder(0)));
        return race.turns.late();
    }

    private void raise(Register register, int writer) {
        long last = 0;
        for (int n = 0; n < 14; n++) {
            try {
                VersionedLease now = register.read().get();
                long term = now.highestTerm();
                assertThat(term)
                        .as("seed %s: no read returns an older term", seed)
                        .isGreaterThanOrEqualTo(last);
                last = term;
                String nonce = writer + "." + n;
                keep(now, nonce, register.write().over(now.version(), record(term + 1, nonce)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void delete(Register register, Deleting deleting) {
        for (int n = 0; n < 14; n++) {
            try {
                VersionedLease now = register.read().get();
                if (now.record().isPresent()) {
                    deleting.delete(now);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private synchronized void keep(VersionedLease before, String nonce, CasOutcome outcome) {
        outcomes.add(outcome);
        before.record().ifPresent(record -> seen.add(record.nonce()));
        if (outcome instanceof CasOutcome.Written written) {
            var replaced = new Replaced(before.version(), before.termFloor());
            assertThat(successors.putIfAbsent(replaced, written.version()))
                    .as("seed %s: only one write replaces %s", seed, replaced)
                    .isNull();
        } else if (outcome instanceof CasOutcome.Conflict conflict) {
            refused.add(nonce);
            conflict.current().record().ifPresent(record -> seen.add(record.nonce()));
        }
    }

    private void checkEnd(Register register) throws InterruptedException {
        List<VersionedLease> end = new ArrayList<>();
        turns.run(List.of(() -> {
            try {
                end.add(register.read().get());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        VersionedLease head = end.get(0);
        head.record().ifPresent(record -> seen.add(record.nonce()));
        assertThat(seen).as("seed %s: no rejected write is read", seed).doesNotContainAnyElementsOf(refused);
        long written =
                outcomes.stream().filter(o -> o instanceof CasOutcome.Written).count();
        long unknown =
                outcomes.stream().filter(o -> o instanceof CasOutcome.Unknown).count();
        assertThat(head.highestTerm()).as("seed %s: no update is lost", seed).isBetween(written, written + unknown);
    }

    static LeaseRecord record(long term, String nonce) {
        return new LeaseRecord(
                "orders",
                "n1",
                "n1-1",
                term,
                nonce,
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }
}
