package dev.doyen.store.probe;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tests competing writes. In each of a few rounds, several threads write over the same version at the same time. */
final class ProbeRace {

    private static final int RACERS = 4;
    private static final int ROUNDS = 5;
    private static final int ANSWER_WITHIN_SECONDS = 30;

    private final LeaseStore store;
    private final String election;
    private final Set<ProbeFault> faults;

    ProbeRace(LeaseStore store, String election, Set<ProbeFault> faults) {
        this.store = store;
        this.election = election;
        this.faults = faults;
    }

    void run() {
        ExecutorService threads = Executors.newFixedThreadPool(RACERS, work -> {
            var thread = new Thread(work, "doyen-probe");
            thread.setDaemon(true);
            return thread;
        });
        try {
            for (int round = 0; round < ROUNDS; round++) {
                round(threads);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void round(ExecutorService threads) {
        VersionedLease before = store.read(election);
        var start = new CyclicBarrier(RACERS);
        List<LeaseRecord> records = new ArrayList<>();
        List<Future<CasOutcome>> answers = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            LeaseRecord record = ProbeRules.record(election, before);
            records.add(record);
            answers.add(threads.submit(() -> {
                start.await(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
                return store.compareAndSet(election, before.version(), record);
            }));
        }
        List<CasOutcome> outcomes = answers.stream().map(ProbeRace::answer).toList();
        judge(before, records, outcomes, store.read(election));
    }

    private void judge(
            VersionedLease before, List<LeaseRecord> records, List<CasOutcome> outcomes, VersionedLease after) {
        String left = after.record().map(LeaseRecord::nonce).orElse("");
        int winners = 0;
        boolean unknown = false;
        for (int i = 0; i < outcomes.size(); i++) {
            CasOutcome outcome = outcomes.get(i);
            if (outcome instanceof CasOutcome.Written) {
                winners++;
            } else if (outcome instanceof CasOutcome.Unknown) {
                unknown = true;
            } else if (left.equals(records.get(i).nonce())) {
                faults.add(ProbeFault.REFUSES_BUT_WRITES);
            }
        }
        boolean unchanged = after.version().equals(before.version());
        if (winners > 1) {
            faults.add(ProbeFault.TWO_WINNERS);
        } else if (winners == 1 && unchanged) {
            faults.add(ProbeFault.FORGETS_A_WRITE);
        } else if (winners == 0 && unchanged && !unknown) {
            faults.add(ProbeFault.NO_WINNER);
        }
    }

    private static CasOutcome answer(Future<CasOutcome> future) {
        try {
            return future.get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return new CasOutcome.Unknown("a racing write failed: " + e.getCause());
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(
                    "a racing write was not answered within " + ANSWER_WITHIN_SECONDS
                            + " s; the store cannot be judged",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while the store was being probed", e);
        }
    }
}
