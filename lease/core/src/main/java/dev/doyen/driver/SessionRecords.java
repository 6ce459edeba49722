package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import dev.doyen.lease.SessionSurvey;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The session records {@code ~session/1}, {@code ~session/2} and so on (rule L12.3).
 *
 * <p>Each process takes one of these records for its session. The process later reads the held records again, and
 * fences each silent record, which nobody has renewed for its ttl. A fenced record is free again. So the number of
 * records is about the greatest number of processes that were live at one time. It does not depend on how many
 * processes ended without a release.
 *
 * <p>Threads: the loop thread calls the methods. Calls of the store run on the threads of {@link Threads#store}.
 */
final class SessionRecords {

    /**
     * The number of records in one row. A row is a group of consecutive records that the process reads together. The
     * process takes a record from the first row with a free record.
     */
    private static final int ROW = 16;

    private static final int MAX_ROWS = 256;
    private static final int FEW = 4;

    /**
     * The maximum number of held records that the process reads at a time. These reads show which records nobody has
     * renewed for their ttl.
     */
    private static final int MAX_HELD = 500;

    /**
     * The maximum number of failed reads of held records. After this number of failures, this process stops reading
     * them. The next process that searches for a record reads them.
     */
    private static final int MAX_FAILED_READS = 5;

    private final LeaseStore store;
    private final LoopContext context;
    private final Threads threads;
    private final String nonce;

    private SessionSurvey survey = SessionSurvey.NONE;
    private Threads.@Nullable Timer nextRead;
    private long fenced;
    private int failedReads;

    /** The fault because of which no record could be chosen; empty if a record was chosen. */
    private volatile Optional<StoreFault> fault = Optional.empty();

    private boolean closed;

    /** @param incarnation the incarnation of the process, which makes the nonces of its writes unique */
    SessionRecords(LoopContext context, String incarnation) {
        this.store = context.store();
        this.context = context;
        this.threads = context.threads();
        this.nonce = incarnation + ".survey";
    }

    /** Finds a record that nobody holds. Repeats the search until it succeeds or {@link #close} is called. */
    void choose(Consumer<String> chosen) {
        failedReads = 0;
        readRow(0, chosen);
    }

    /** Returns the fault because of which no record could be chosen. Any thread may call this method. */
    Optional<StoreFault> storeFault() {
        return fault;
    }

    /** Ends the search and the fencing. */
    void close() {
        closed = true;
        stopLooking();
    }

    private void stopLooking() {
        if (nextRead != null) {
            nextRead.cancel();
        }
    }

    private void readRow(int row, Consumer<String> chosen) {
        if (closed) {
            return;
        }
        List<String> names = row(row);
        call(
                () -> store.readAll(names),
                found -> {
                    survey = survey.seeing(found, threads.now());
                    List<String> free = names.stream()
                            .filter(each -> isFree(found.get(each)))
                            // Released records come first, so that no unnecessary record is created.
                            .sorted(Comparator.comparing(each -> isAbsent(found.get(each))))
                            .toList();
                    if (!free.isEmpty()) {
                        fault = Optional.empty();
                        chosen.accept(pick(free, found));
                        context.log().survives("", "reading the session records", () -> readBeyond(row, found));
                    } else if (row + 1 < MAX_ROWS) {
                        readRow(row + 1, chosen);
                    } else {
                        fails(StoreFault.away(
                                "all " + ROW * MAX_ROWS + " session records are held or could not be read"));
                        fenceUnrenewed();
                        chooseLater(chosen, context.timing().pollEvery());
                    }
                },
                failure -> {
                    // Only an operator can change the rights, so the search waits for a ttl after a refusal.
                    chooseLater(
                            chosen,
                            failure.refused()
                                    ? context.timing().ttl()
                                    : context.timing().pollEvery());
                    fails(failure);
                });
    }

    /**
     * Reads the following rows, up to the first row with a missing record.
     *
     * <p>The records of those rows are in use, or remain from a time with more processes.
     */
    private void readBeyond(int row, Map<String, VersionedLease> found) {
        boolean isLast = row + 1 == MAX_ROWS || row(row).stream().anyMatch(each -> isAbsent(found.get(each)));
        if (closed || isLast) {
            readAgain();
            return;
        }
        call(
                () -> store.readAll(row(row + 1)),
                next -> {
                    survey = survey.seeing(next, threads.now());
                    readBeyond(row + 1, next);
                },
                failure -> readAgain());
    }

    private static List<String> row(int row) {
        return IntStream.rangeClosed(row * ROW + 1, (row + 1) * ROW)
                .mapToObj(n -> "~session/" + n)
                .toList();
    }

    /**
     * Selects the first released record, or else one of the first missing records. A missing record is selected at
     * random, so processes that start together do not all compete to create the same record.
     */
    private String pick(List<String> free, Map<String, VersionedLease> found) {
        int few = isAbsent(found.get(free.get(0))) ? FEW : 1;
        return free.get((int) Long.remainderUnsigned(context.seeds().getAsLong(), Math.min(few, free.size())));
    }

    /**
     * Repeats the search later.
     *
     * <p>This method does not use the timer {@link #nextRead}. An answer about held records can cancel that timer, but
     * must not cancel the search.
     */
    private void chooseLater(Consumer<String> chosen, Duration pause) {
        at(threads.now().nanos() + pause.toNanos(), () -> readRow(0, chosen));
    }

    /**
     * Schedules the next read of the held records. The read is due when the first of them reaches its ttl without a
     * change, but not before the poll interval has passed.
     */
    private void readAgain() {
        stopLooking();
        survey.silentAtNanos(threads.now()).ifPresent(at -> {
            if (!closed && failedReads < MAX_FAILED_READS) {
                long soonest =
                        threads.now().nanos() + context.timing().pollEvery().toNanos();
                nextRead = at(at - soonest > 0 ? at : soonest, this::readHeld);
            }
        });
    }

    private Threads.Timer at(long nanos, Runnable task) {
        return Timers.at(threads, context.log(), nanos, task);
    }

    private void readHeld() {
        List<String> names = survey.sessions().stream().limit(MAX_HELD).toList();
        call(
                () -> store.readAll(names),
                found -> {
                    survey = survey.seeing(found, threads.now());
                    fenceUnrenewed();
                    readAgain();
                },
                failure -> {
                    failedReads++;
                    readAgain();
                });
    }

    private void fenceUnrenewed() {
        Moment now = threads.now();
        List<LeaseStore.Write> fences =
                survey.fences(now, nonce + "." + ++fenced, context.timing().ttl());
        if (fences.isEmpty()) {
            return;
        }
        Set<String> sessions =
                fences.stream().map(each -> each.next().election()).collect(Collectors.toSet());
        // If the writes fail, this process does not repeat them. The next process that searches for a record fences
        // these sessions.
        survey = survey.without(sessions);
        call(
                () -> store.compareAndSetAll(fences),
                outcomes -> {
                    List<String> written = IntStream.range(0, fences.size())
                            .filter(i -> outcomes.get(i) instanceof CasOutcome.Written)
                            .mapToObj(i -> fences.get(i).next().election())
                            .toList();
                    if (!written.isEmpty()) {
                        context.log().log(Level.INFO, "", "fenced the silent session records " + written);
                    }
                },
                failure -> {});
    }

    /** Calls the store on a thread for store calls. The loop thread processes the answer or the failure. */
    private <T> void call(Callable<T> call, Consumer<T> answer, Consumer<StoreFault> failure) {
        boolean accepted = false;
        try {
            accepted = threads.store(() -> {
                T found;
                try {
                    found = call.call();
                } catch (Throwable e) {
                    threads.loop(() -> failure.accept(ThrownFaults.of(e)));
                    return;
                }
                threads.loop(() -> {
                    if (!context.log().survives("", "taking session records", () -> answer.accept(found))) {
                        failure.accept(StoreFault.away("the answer could not be taken"));
                    }
                });
            });
        } finally {
            if (!accepted) {
                failure.accept(StoreExecutor.BUSY);
            }
        }
    }

    private void fails(StoreFault failure) {
        if (fault.filter(failure::isLike).isEmpty()) {
            context.log().log(
                    Level.WARNING, "", "no session record could be chosen: " + failure.reason() + "; trying again");
        }
        fault = Optional.of(failure);
    }

    /** Returns true if the store has no such record. The lease is null if the store did not return the record. */
    private static boolean isAbsent(@Nullable VersionedLease lease) {
        return lease != null && lease.record().isEmpty();
    }

    /** Returns true if nobody holds the record. A record that the store did not return is not free. */
    private static boolean isFree(@Nullable VersionedLease lease) {
        return lease != null && lease.record().filter(LeaseRecord::isHeld).isEmpty();
    }
}
