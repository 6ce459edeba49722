package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import dev.doyen.lease.SessionSurvey;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The session records {@code ~session/1}, {@code ~session/2} and so on (rule L12.3).
 *
 * <p>Each process takes one of them for its session. A process that looks for one also fences the records that it finds
 * silent for their ttl. So there are about as many records as processes live at one time, however many have ended
 * without releasing theirs.
 *
 * <p>Threads: the loop thread. The store is called on threads for store calls.
 */
final class SessionRecords {

    /** How many records are read at a time. The process takes one of the first few that nobody holds. */
    private static final int ROW = 16;

    private static final int MAX_ROWS = 256;
    private static final int FEW = 4;

    /** The most held records that are read at a time, to see whether they have been silent for their ttl. */
    private static final int MAX_HELD = 500;

    /**
     * How often reads of held records may fail in all. After that, the next process that looks for a record reads them.
     */
    private static final int MAX_FAILED_LOOKS = 5;

    private final LeaseStore store;
    private final LoopContext context;
    private final Threads threads;
    private final String nonce;

    private SessionSurvey survey = SessionSurvey.NONE;
    private Threads.@Nullable Timer nextLook;
    private long fenced;
    private int failedLooks;
    private boolean failing;
    private boolean closed;

    /** @param incarnation of the process; makes the nonces of its writes unique */
    SessionRecords(LoopContext context, String incarnation) {
        this.store = context.store();
        this.context = context;
        this.threads = context.threads();
        this.nonce = incarnation + ".survey";
    }

    /** Finds a record that nobody holds. Tries again until it succeeds or {@link #close} is called. */
    void choose(Consumer<String> chosen) {
        failedLooks = 0;
        readRow(0, chosen);
    }

    /** Ends the search and the fencing. */
    void close() {
        closed = true;
        stopLooking();
    }

    private void stopLooking() {
        if (nextLook != null) {
            nextLook.cancel();
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
                        failing = false;
                        chosen.accept(pick(free, found));
                        context.log().survives("", "a look at the session records", () -> readBeyond(row, found));
                    } else if (row + 1 < MAX_ROWS) {
                        readRow(row + 1, chosen);
                    } else {
                        fails("all " + ROW * MAX_ROWS + " session records are held");
                        fenceSilent();
                        chooseLater(chosen);
                    }
                },
                reason -> {
                    fails(reason);
                    chooseLater(chosen);
                });
    }

    /**
     * Surveys the following rows too, if no record of this row is absent.
     *
     * <p>Processes may have used those rows while there were more of them.
     */
    private void readBeyond(int row, Map<String, VersionedLease> found) {
        boolean isLast = row + 1 == MAX_ROWS || row(row).stream().anyMatch(each -> isAbsent(found.get(each)));
        if (closed || isLast) {
            lookAgain();
            return;
        }
        call(
                () -> store.readAll(row(row + 1)),
                next -> {
                    survey = survey.seeing(next, threads.now());
                    readBeyond(row + 1, next);
                },
                reason -> lookAgain());
    }

    private static List<String> row(int row) {
        return IntStream.rangeClosed(row * ROW + 1, (row + 1) * ROW)
                .mapToObj(n -> "~session/" + n)
                .toList();
    }

    /** Picks one of the first few, so that processes that start together do not all compete for the same one. */
    private String pick(List<String> free, Map<String, VersionedLease> found) {
        int few = isAbsent(found.get(free.get(0))) ? FEW : 1;
        return free.get((int) Long.remainderUnsigned(context.seeds().getAsLong(), Math.min(few, free.size())));
    }

    /**
     * Repeats the search later.
     *
     * <p>This timer is not {@link #nextLook}, because an answer about held records must not cancel the search.
     */
    private void chooseLater(Consumer<String> chosen) {
        threads.at(threads.now().nanos() + context.timing().pollEvery().toNanos(), () -> readRow(0, chosen));
    }

    /** Reads the held records again when the first of them may have been silent for its ttl. */
    private void lookAgain() {
        stopLooking();
        survey.silentAtNanos(threads.now()).ifPresent(at -> {
            if (!closed && failedLooks < MAX_FAILED_LOOKS) {
                long soonest =
                        threads.now().nanos() + context.timing().pollEvery().toNanos();
                nextLook = threads.at(at - soonest > 0 ? at : soonest, this::readHeld);
            }
        });
    }

    private void readHeld() {
        List<String> names = survey.sessions().stream().sorted().limit(MAX_HELD).toList();
        call(
                () -> store.readAll(names),
                found -> {
                    survey = survey.seeing(found, threads.now());
                    fenceSilent();
                    lookAgain();
                },
                reason -> {
                    failedLooks++;
                    lookAgain();
                });
    }

    private void fenceSilent() {
        Moment now = threads.now();
        List<LeaseWrite> fences =
                survey.fences(now, nonce + "." + ++fenced, context.timing().ttl());
        if (fences.isEmpty()) {
            return;
        }
        Set<String> sessions =
                fences.stream().map(each -> each.next().election()).collect(Collectors.toSet());
        // If the writes fail, the next process that looks for a record surveys these sessions again.
        survey = survey.without(sessions);
        call(
                () -> store.compareAndSetAll(fences),
                outcomes -> {
                    List<String> written = IntStream.range(0, fences.size())
                            .filter(i -> outcomes.get(i) instanceof CasOutcome.Written)
                            .mapToObj(i -> fences.get(i).next().election())
                            .sorted()
                            .toList();
                    if (!written.isEmpty()) {
                        context.log().log(Level.INFO, "", "fenced the silent session records " + written);
                    }
                },
                reason -> {});
    }

    /** Calls the store on a thread for store calls. The loop thread processes the answer or the failure. */
    private <T> void call(Callable<T> call, Consumer<T> answer, Consumer<String> failure) {
        boolean accepted = false;
        try {
            accepted = threads.store(() -> {
                T found;
                try {
                    found = call.call();
                } catch (Throwable e) {
                    threads.loop(() -> failure.accept(e.toString()));
                    return;
                }
                threads.loop(() -> {
                    if (!context.log().survives("", "taking session records", () -> answer.accept(found))) {
                        failure.accept("the answer could not be taken");
                    }
                });
            });
        } finally {
            if (!accepted) {
                failure.accept(StoreExecutor.BUSY);
            }
        }
    }

    private void fails(String reason) {
        if (!failing) {
            context.log().log(Level.WARNING, "", "no session record could be chosen: " + reason + "; trying again");
        }
        failing = true;
    }

    private static boolean isAbsent(@Nullable VersionedLease lease) {
        return lease == null || lease.record().isEmpty();
    }

    private static boolean isFree(@Nullable VersionedLease lease) {
        return lease == null || lease.record().filter(LeaseRecord::isHeld).isEmpty();
    }
}
