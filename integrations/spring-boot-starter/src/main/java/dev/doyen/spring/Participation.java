package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.JoinableElection;
import dev.doyen.election.Leadership;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.log.FaultLog;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;

/** The participation of this application in one election. */
final class Participation {

    private static final System.Logger LOG = System.getLogger("dev.doyen.spring");

    private final String name;
    private final ApplicationEventPublisher publisher;
    private final TermGate gate = new TermGate();
    private final List<ElectionCall> onElected = new CopyOnWriteArrayList<>();
    private final List<ElectionCall> onRevoked = new CopyOnWriteArrayList<>();
    private final List<CandidateObserver.CandidateObservation> observations = new ArrayList<>();
    private final FaultLog faults = new FaultLog(LOG);
    private final ThreadFactory factory;
    private @Nullable JoinableElection election;
    private volatile @Nullable Candidate<?> candidate;
    private @Nullable Candidate<?> left;

    Participation(String name, ApplicationEventPublisher publisher) {
        this(name, publisher, Thread::new);
    }

    /** @param factory the factory of the threads for calls that run for the whole term */
    Participation(String name, ApplicationEventPublisher publisher, ThreadFactory factory) {
        this.name = name;
        this.publisher = publisher;
        this.factory = factory;
    }

    String name() {
        return name;
    }

    TermGate gate() {
        return gate;
    }

    void onElected(ElectionCall call) {
        onElected.add(call);
    }

    void onRevoked(ElectionCall call) {
        onRevoked.add(call);
    }

    Optional<Candidate<?>> candidate() {
        return Optional.ofNullable(candidate);
    }

    /**
     * Joins the election, unless this application has already joined.
     *
     * <p>If an observer throws, the candidate leaves, because a candidate without listeners must not lead.
     *
     * @param mayJoin a check that throws if joining is not allowed; the check runs under the lock of {@link #leave}, so
     *     that no candidate joins after the application has left for good
     */
    synchronized Candidate<?> join(
            Runnable mayJoin, Function<String, JoinableElection> source, String id, List<CandidateObserver> observers) {
        Candidate<?> before = candidate;
        if (before != null) {
            return before;
        }
        mayJoin.run();
        if (election == null) {
            election = source.apply(name);
        }
        Candidate<?> joined = election.join(id);
        candidate = joined;
        try {
            observers.forEach(each -> observations.add(each.joined(joined)));
            joined.listen(new Terms(joined));
        } catch (Throwable e) {
            faults.survives("election=" + name + " leaving after a failed start", this::leave);
            throw e;
        }
        return joined;
    }

    /** Admits new calls under a term again, after {@link #admitNoMore}. */
    void admit() {
        gate.admit();
    }

    /** Rejects new calls under a term until {@link #admit}. */
    void admitNoMore() {
        gate.shut();
    }

    /**
     * Waits until the calls under the term have finished, but no longer than {@code until}. The method does not wait
     * for {@link OnElected} methods. {@link #leave} interrupts the remaining calls.
     *
     * @param caller the calling thread; the method does not wait for calls of this thread
     * @param until the end of the wait, as a value of {@link System#nanoTime}
     */
    void awaitCalls(Thread caller, long until) {
        long calls = gate.calls(caller);
        if (calls == 0) {
            return;
        }
        long atMost = Math.max(0, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()));
        LOG.log(
                Level.INFO,
                "election=" + name + " leaving when the work of its term has ended: " + counted(calls) + ", " + atMost
                        + " ms at most");
        if (!gate.awaitCalls(caller, until)) {
            LOG.log(
                    Level.WARNING,
                    "election=" + name + " leaving now, which interrupts the work of its term: "
                            + counted(gate.calls(caller)) + "; let the work end sooner, or set "
                            + LeaderElections.PATIENCE
                            + " higher");
        }
    }

    private static String counted(long calls) {
        return calls == 1 ? "1 call" : calls + " calls";
    }

    /**
     * Leaves the election until the next {@link #join}. The method waits as {@link Candidate#close} does.
     *
     * <p>An interrupt ends the wait, but the candidate still leaves. The next call of this method then waits again.
     */
    synchronized void leave() {
        Candidate<?> leaving = candidate == null ? left : candidate;
        if (leaving != null) {
            observations.forEach(
                    each -> faults.survives("election=" + name + " the end of an observation", each::close));
            observations.clear();
            try {
                leaving.close();
            } finally {
                left = leaving;
                candidate = null;
            }
        }
    }

    synchronized void close() {
        leave();
        if (election != null) {
            election.close();
            election = null;
        }
    }

    private void call(ElectionCall each, Leadership leadership, Optional<LossCause> cause) {
        try {
            each.call(leadership, cause);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof InterruptedException && !leadership.isCertain())) {
                failed(each, e.getCause() == null ? e : e.getCause());
            }
        } catch (Throwable e) {
            failed(each, e);
        }
    }

    private void failed(ElectionCall each, Throwable e) {
        LOG.log(Level.ERROR, "election=" + name + " " + each + " failed", e);
    }

    private void publish(ElectionApplicationEvent event) {
        faults.survives(
                "election=" + name + " a listener to " + event.getClass().getSimpleName(),
                () -> publisher.publishEvent(event));
    }

    /** Receives the candidate's events in order (rule L9). */
    private final class Terms implements ElectionListener<Leadership> {
        private final Candidate<?> joined;
        private @Nullable Leadership current;

        Terms(Candidate<?> joined) {
            this.joined = joined;
        }

        @Override
        public void elected(Leadership leadership) {
            current = leadership;
            gate.open(leadership);
            List<ElectionCall> refused = startAll(onElected);
            if (!refused.isEmpty()) {
                // A leader that cannot start its work must resign. Only the elector can resign for its candidate.
                if (joined instanceof ElectorCandidate beside) {
                    startAgain(beside, leadership, refused);
                } else {
                    faults.survives("election=" + name + " a resignation", this::resign);
                }
            }
            publish(new ElectedEvent(joined, leadership));
        }

        @Override
        public void lost(LossCause cause) {
            Leadership over = current;
            current = null;
            gate.end();
            if (over != null) {
                onRevoked.forEach(each -> call(each, over, Optional.of(cause)));
                publish(new RevokedEvent(joined, over, cause));
            }
        }

        @Override
        public void leaderChanged(Optional<Leader> leader) {
            publish(new LeaderChangedEvent(joined, leader));
        }

        private void resign() {
            CompletableFuture<Void> unused = Refusals.local(joined).resign();
        }

        /** Starts a thread for each call, and returns the calls that got no thread. */
        private List<ElectionCall> startAll(List<ElectionCall> calls) {
            return calls.stream()
                    .filter(each ->
                            !faults.survives("election=" + name + " starting a thread for " + each, () -> start(each)))
                    .toList();
        }

        /** Repeats the start of the calls until each call has a thread or the term has ended. */
        private void startAgain(ElectorCandidate beside, Leadership leadership, List<ElectionCall> calls) {
            beside.again(() -> {
                if (leadership.equals(current)) {
                    List<ElectionCall> refused = startAll(calls);
                    if (!refused.isEmpty()) {
                        startAgain(beside, leadership, refused);
                    }
                }
            });
        }

        private void start(ElectionCall each) {
            Thread thread = factory.newThread(() -> work(each));
            thread.setName("doyen-" + name + "-elected");
            thread.setDaemon(true);
            thread.start();
        }

        private void work(ElectionCall each) {
            gate.enterForTheTerm(each).ifPresent(work -> {
                CurrentLeadership.enter(work.leadership());
                try {
                    call(each, work.leadership(), Optional.empty());
                } finally {
                    CurrentLeadership.restore(null);
                    work.end();
                }
            });
        }
    }
}
