package dev.doyen.store.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests that the probe finds no fault in a correct store, and each fault in a faulty store. */
class StoreProbeTest {

    @Test
    void a_correct_store_conforms_and_is_timed() {
        StoreReport report = StoreProbe.full(new MemoryLeaseStore());
        assertThat(report.faults()).isEmpty();
        assertThat(report.conforms()).isTrue();
        assertThat(report.promises().scope()).isEqualTo("one JVM");
        for (StoreReport.Latency each : List.of(report.read(), report.write())) {
            assertThat(each.median()).isPositive().isLessThanOrEqualTo(each.worst());
        }
    }

    @Test
    void a_second_create_is_found() {
        assertOnlyFault(ProbeFault.CREATES_TWICE, () -> new FakeStore() {
            @Override
            boolean accepts(VersionedLease current, LeaseVersion expected, LeaseRecord next) {
                return (expected.isAbsent() && !racing(next)) || super.accepts(current, expected, next);
            }
        });
    }

    @Test
    void a_write_over_a_stale_version_is_found() {
        assertOnlyFault(ProbeFault.WRITES_OVER_STALE, () -> new FakeStore() {
            @Override
            boolean accepts(VersionedLease current, LeaseVersion expected, LeaseRecord next) {
                return racing(next)
                        ? super.accepts(current, expected, next)
                        : current.version().isAbsent() == expected.isAbsent();
            }
        });
    }

    @Test
    void a_write_over_an_absent_record_is_found_in_each_probe() {
        Supplier<FakeStore> broken = () -> new FakeStore() {
            @Override
            boolean accepts(VersionedLease current, LeaseVersion expected, LeaseRecord next) {
                return current.version().isAbsent() || super.accepts(current, expected, next);
            }
        };
        assertOnlyFault(ProbeFault.WRITES_OVER_NOTHING, broken);
        FakeStore store = broken.get();
        StoreProbe.full(store);
        assertThat(StoreProbe.full(store).faults()).containsExactly(ProbeFault.WRITES_OVER_NOTHING.sentence());
    }

    @Test
    void one_version_for_the_same_record_written_twice_is_found() {
        assertOnlyFault(ProbeFault.SAME_VERSION_AGAIN, () -> new FakeStore() {
            @Override
            LeaseVersion version(LeaseRecord next) {
                return new LeaseVersion(LeaseRecordText.write(next));
            }
        });
    }

    @Test
    void a_store_without_conditions_has_all_three_faults() {
        var store = new FakeStore() {
            @Override
            boolean accepts(VersionedLease current, LeaseVersion expected, LeaseRecord next) {
                return true;
            }
        };
        assertThat(StoreProbe.brief(store).faults())
                .containsExactly(
                        ProbeFault.CREATES_TWICE.sentence(),
                        ProbeFault.WRITES_OVER_STALE.sentence(),
                        ProbeFault.WRITES_OVER_NOTHING.sentence());
    }

    @Test
    void a_read_that_lags_behind_is_found() {
        assertOnlyFault(ProbeFault.FORGETS_A_WRITE, () -> new FakeStore() {
            private final Map<String, Integer> reads = new HashMap<>();

            @Override
            public VersionedLease read(String election) {
                // The second read of a record follows the first write, but does not return the written record.
                return reads.merge(election, 1, Integer::sum) == 2 && !election.endsWith("never")
                        ? VersionedLease.ABSENT
                        : super.read(election);
            }
        });
    }

    @Test
    void another_record_than_was_written_is_found() {
        assertOnlyFault(ProbeFault.READS_BACK_OTHERWISE, () -> new FakeStore() {
            @Override
            public VersionedLease read(String election) {
                VersionedLease found = super.read(election);
                return found.record()
                        .map(record ->
                                VersionedLease.of(found.version(), record.noting(record.notes(), record.nonce() + "x")))
                        .orElse(found);
            }
        });
    }

    @Test
    void a_rejected_write_over_the_current_version_is_found() {
        assertThat(StoreProbe.brief(new FakeStore() {
                            @Override
                            boolean accepts(VersionedLease current, LeaseVersion expected, LeaseRecord next) {
                                return false;
                            }
                        })
                        .faults())
                .containsExactly(ProbeFault.REFUSES_THE_PRESENT.sentence());
    }

    @Test
    void a_rejected_write_that_was_carried_out_is_found() {
        assertOnlyFault(ProbeFault.REFUSES_BUT_WRITES, () -> new FakeStore() {
            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                CasOutcome outcome = super.compareAndSet(election, expected, next);
                if (outcome instanceof CasOutcome.Conflict && expected.isAbsent() && !racing(next)) {
                    write(next);
                }
                return outcome;
            }
        });
    }

    @Test
    void a_rejection_with_a_wrong_record_is_found() {
        assertOnlyFault(ProbeFault.SHOWS_NO_RIVAL, () -> new FakeStore() {
            @Override
            VersionedLease shown(VersionedLease current) {
                return VersionedLease.ABSENT;
            }
        });
    }

    @Test
    void two_winners_of_a_race_are_found() {
        var allHaveRead = new CyclicBarrier(4);
        assertOnlyFault(ProbeFault.TWO_WINNERS, () -> new FakeStore() {
            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                if (!racing(next)) {
                    return super.compareAndSet(election, expected, next);
                }
                VersionedLease seen = read(election);
                await(allHaveRead);
                return accepts(seen, expected, next) ? write(next) : new CasOutcome.Conflict(seen);
            }
        });
    }

    @Test
    void a_race_without_a_winner_is_found() {
        assertOnlyFault(ProbeFault.NO_WINNER, () -> new FakeStore() {
            @Override
            boolean accepts(VersionedLease current, LeaseVersion expected, LeaseRecord next) {
                return !racing(next) && super.accepts(current, expected, next);
            }
        });
    }

    @Test
    void a_store_that_does_not_answer_is_not_judged() {
        var store = new FakeStore() {
            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                return new CasOutcome.Unknown("fails on purpose");
            }
        };
        assertThatThrownBy(() -> StoreProbe.full(store))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the store could not be judged in 8 attempts: fails on purpose; try again when it answers");
    }

    @Test
    void an_occasionally_lost_answer_is_not_a_fault() {
        var store = new FakeStore() {
            private int writes;

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                CasOutcome outcome = super.compareAndSet(election, expected, next);
                return ++writes % 7 == 0 ? new CasOutcome.Unknown("lost on purpose") : outcome;
            }
        };
        for (int i = 0; i < 20; i++) {
            assertThat(StoreProbe.full(store).faults()).isEmpty();
        }
    }

    @Test
    void a_probe_changes_no_election_in_use_and_leaves_a_limited_number_of_records() {
        var store = new FakeStore();
        LeaseRecord inUse = ProbeRules.record("orders", VersionedLease.ABSENT);
        store.write(inUse);
        for (int i = 0; i < 200; i++) {
            StoreProbe.full(store);
        }
        assertThat(store.read("orders").record()).contains(inUse);
        Set<String> own = new HashSet<>(store.leases.keySet());
        own.remove("orders");
        assertThat(own).allMatch(name -> name.startsWith("~probe-")).hasSizeLessThanOrEqualTo(StoreProbe.NAMES + 1);
        assertThat(store.leases.values())
                .noneMatch(lease -> lease.record().orElseThrow().isHeld());
    }

    @Test
    void concurrent_probes_do_not_report_each_other_as_faults() throws Exception {
        var store = new MemoryLeaseStore();
        var together = new CyclicBarrier(4);
        var threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<String>>> reports = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Callable<List<String>> probing = () -> {
                    List<String> faults = new ArrayList<>();
                    for (int round = 0; round < 25; round++) {
                        together.await(30, TimeUnit.SECONDS);
                        faults.addAll(StoreProbe.full(store).faults());
                    }
                    return faults;
                };
                reports.add(threads.submit(probing));
            }
            for (Future<List<String>> report : reports) {
                assertThat(report.get(60, TimeUnit.SECONDS)).isEmpty();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void another_writer_during_a_probe_is_not_reported_as_a_fault() {
        // Another process writes each of the first eight records directly after the probe's first write to the record.
        var store = new FakeStore() {
            private final Set<String> disturbed = ConcurrentHashMap.newKeySet();

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                CasOutcome outcome = super.compareAndSet(election, expected, next);
                if (outcome instanceof CasOutcome.Written && disturbed.size() < 8 && disturbed.add(election)) {
                    write(ProbeRules.record(election, read(election)));
                }
                return outcome;
            }
        };
        assertThat(StoreProbe.brief(store).faults()).isEmpty();
    }

    @Test
    void another_writer_before_any_write_of_the_probe_is_not_reported_as_a_fault() {
        for (int which = 2; which <= 5; which++) {
            int disturbed = which;
            var store = new FakeStore() {
                private final Map<String, Integer> writes = new HashMap<>();

                @Override
                public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                    int count = writes.merge(election, 1, Integer::sum);
                    if (count == disturbed && writes.size() < 8 && !election.endsWith("never")) {
                        write(ProbeRules.record(election, read(election)));
                    }
                    return super.compareAndSet(election, expected, next);
                }
            };
            assertThat(StoreProbe.brief(store).faults())
                    .as("another writer before write %s", which)
                    .isEmpty();
        }
    }

    @Test
    void a_race_without_answers_is_not_judged() {
        var store = new FakeStore() {
            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                return racing(next)
                        ? new CasOutcome.Unknown("fails on purpose")
                        : super.compareAndSet(election, expected, next);
            }
        };
        assertThat(StoreProbe.full(store).faults()).isEmpty();
    }

    private static void assertOnlyFault(ProbeFault fault, Supplier<? extends LeaseStore> broken) {
        StoreReport report = StoreProbe.full(broken.get());
        assertThat(report.faults()).containsExactly(fault.sentence());
        assertThat(report.conforms()).isFalse();
    }

    private static boolean racing(LeaseRecord next) {
        return next.election().equals("~probe-race");
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the writers did not start at the same time", e);
        }
    }
}
