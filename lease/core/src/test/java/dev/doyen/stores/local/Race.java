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
import java.util.Set;
import java.util.function.Function;

/**
 * Four writers raise the term in an {@link Interleaving} by compare-and-set.
 *
 * <p>The race checks that each version is replaced once, that no reader sees a write that was refused, and that no
 * update is lost.
 */
final class Race {

    /** The place for one record that is tested. */
    record Register(Reading read, Writing write) {}

    interface Reading {
        VersionedLease get() throws IOException;
    }

    interface Writing {
        CasOutcome over(LeaseVersion expected, LeaseRecord next) throws IOException;
    }

    private final long seed;
    private final Interleaving turns;
    private final Map<LeaseVersion, LeaseVersion> successors = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private final List<CasOutcome> outcomes = new ArrayList<>();

    private Race(long seed) {
        this.seed = seed;
        this.turns = new Interleaving(seed);
    }

    /** Returns how many writes failed because they were stopped for too long. */
    static int run(long seed, Function<LeaseFolder, Register> registers) throws InterruptedException {
        var race = new Race(seed);
        List<Runnable> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int id = i;
            var register = registers.apply(race.turns.folder(id));
            writers.add(() -> race.raise(register, id));
        }
        race.turns.run(writers);
        race.checkEnd(registers.apply(race.turns.folder(0)));
        return race.turns.late();
    }

    private void raise(Register register, int writer) {
        long last = 0;
        for (int n = 0; n < 14; n++) {
            try {
                VersionedLease now = register.read().get();
                long term = now.record().map(LeaseRecord::term).orElse(0L);
                assertThat(term).as("seed %s: reads do not go back", seed).isGreaterThanOrEqualTo(last);
                last = term;
                String nonce = writer + "." + n;
                keep(now, nonce, register.write().over(now.version(), record(term + 1, nonce)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private synchronized void keep(VersionedLease before, String nonce, CasOutcome outcome) {
        outcomes.add(outcome);
        before.record().ifPresent(record -> seen.add(record.nonce()));
        if (outcome instanceof CasOutcome.Written written) {
            assertThat(successors.putIfAbsent(before.version(), written.version()))
                    .as("seed %s: written twice over %s", seed, before.version())
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
        LeaseRecord head = end.get(0).record().orElseThrow();
        seen.add(head.nonce());
        assertThat(seen).as("seed %s: seen though refused", seed).doesNotContainAnyElementsOf(refused);
        long written =
                outcomes.stream().filter(o -> o instanceof CasOutcome.Written).count();
        long unknown =
                outcomes.stream().filter(o -> o instanceof CasOutcome.Unknown).count();
        assertThat(head.term()).as("seed %s: no update is lost", seed).isBetween(written, written + unknown);
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
