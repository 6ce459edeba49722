package dev.doyen.cli.run.driver;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.cli.run.Notice;
import dev.doyen.cli.run.RunEffect;
import dev.doyen.cli.run.RunMachine;
import dev.doyen.cli.run.RunSettings;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.process.CannotStartException;
import dev.doyen.process.RunSignal;
import dev.doyen.process.SearchPath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connects a run machine to a candidate and to the command's processes.
 *
 * <p>Threads: the thread that calls {@link #run} processes one input after the other. Other threads only enqueue
 * inputs. The candidate's {@code lost} callback waits until all work under the term has ended. The lease must not be
 * released earlier (rule L6).
 */
public final class RunDriver {

    /**
     * The capacity of the input queue, which exceeds the usual number of pending inputs. If the queue is nearly full,
     * further signals are dropped.
     */
    private static final int MAX_WAITING_INPUTS = 1_000;

    private static final int KEPT_FREE_OF_SIGNALS = 100;

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOOK_AT_LEASE = Duration.ofMillis(250);
    private static final Duration LOOK_FOR_PROCESSES = Duration.ofMillis(20);

    private final Election election;
    private final String candidateId;
    private final RunMachine machine;
    private final RunningCommand command;
    private final Consumer<Notice> notices;
    private final BlockingQueue<Input> inbox = new LinkedBlockingQueue<>(MAX_WAITING_INPUTS);
    private final Carrier carrier = new Carrier();
    private final Duration lookAtLease;

    private @Nullable LeaseCandidate candidate;
    private @Nullable LeaseLeadership leadership;
    private @Nullable CompletableFuture<Void> lossHandled;
    private int exitCode;
    private volatile boolean finished;

    /**
     * Creates the driver of one run.
     *
     * @param commandLine the command and its arguments
     * @param notices receives the events, on the thread of {@link #run}
     */
    public RunDriver(
            Election election,
            String candidateId,
            RunSettings settings,
            List<String> commandLine,
            SearchPath path,
            Consumer<Notice> notices) {
        this.election = election;
        this.candidateId = candidateId;
        this.machine = new RunMachine(settings);
        this.command = new RunningCommand(settings.election(), candidateId, commandLine, path, notices);
        this.notices = notices;
        var often = settings.ttl().dividedBy(50);
        this.lookAtLease = often.compareTo(LOOK_AT_LEASE) < 0 ? often : LOOK_AT_LEASE;
    }

    /**
     * Enqueues a signal, or drops it if the queue is nearly full. The method never blocks and may be called on any
     * thread.
     */
    public void signal(RunSignal signal) {
        if (inbox.remainingCapacity() > KEPT_FREE_OF_SIGNALS) {
            inbox.add(now -> machine.signalled(now, signal));
        }
    }

    /** Campaigns, runs the command while this process leads, and returns the exit code. */
    public int run() throws InterruptedException {
        try {
            carry(machine.begin(System.nanoTime()));
            candidate = election.join(candidateId);
            candidate.listen(new Listener());
            while (!machine.hasEnded()) {
                var input = inbox.poll(pause().toNanos(), TimeUnit.NANOSECONDS);
                if (input != null) {
                    carry(input.step(System.nanoTime()));
                }
                snapshot();
            }
            return exitCode;
        } finally {
            finish();
        }
    }

    /**
     * Polls the time, the lease and the state of the processes.
     *
     * <p>No callback delivers these inputs.
     */
    private void snapshot() {
        if (machine.hasEnded()) {
            return;
        }
        var remaining = leadership == null ? Duration.ZERO : leadership.remaining();
        command.extendWatchdog(remaining);
        carry(machine.passed(System.nanoTime(), remaining));
        if (machine.awaitsGone() && command.isGone()) {
            command.forget();
            carry(machine.gone(System.nanoTime()));
        }
        if (leadership != null) {
            command.saveChanges(leadership);
        }
    }

    private Duration pause() {
        if (machine.isStopping()) {
            return LOOK_FOR_PROCESSES;
        }
        var due = machine.wakeAt()
                .map(at -> Duration.ofNanos(Math.max(0, at - System.nanoTime())))
                .orElse(lookAtLease);
        return due.compareTo(lookAtLease) < 0 ? due : lookAtLease;
    }

    private void carry(List<RunEffect> effects) {
        effects.forEach(effect -> effect.accept(carrier));
    }

    /**
     * Ends the processes of the command, and leaves the election. The method does not wait long for an unavailable
     * store, because an unreleased lease expires by itself.
     */
    private void finish() throws InterruptedException {
        try {
            command.close();
        } finally {
            finished = true;
            handled();
        }
        var closing = new Thread(election::close, "doyen-close");
        closing.setDaemon(true);
        try {
            closing.start();
        } catch (OutOfMemoryError e) {
            // No thread can be started, so this thread closes the election. The close has its own time limit.
            election.close();
        }
        closing.join(CLOSE_PATIENCE.toMillis());
        if (closing.isAlive()) {
            notices.accept(Notice.loud(
                    "not-released",
                    "the lease could not be released yet; another candidate can lead when the lease has expired"));
        }
    }

    private void handled() {
        if (lossHandled != null) {
            lossHandled.complete(null);
            lossHandled = null;
        }
    }

    /** An event in the queue that becomes an input of the machine. */
    private interface Input {
        List<RunEffect> step(long now);
    }

    /** Enqueues the candidate's events. Threads: the election's callback thread. */
    private final class Listener implements ElectionListener<LeaseLeadership> {
        @Override
        public void elected(LeaseLeadership won) {
            post(now -> {
                leadership = won;
                return machine.elected(now, won.term(), won.remaining());
            });
        }

        @Override
        public void lost(LossCause cause) {
            var handled = new CompletableFuture<Void>();
            post(now -> {
                lossHandled = handled;
                leadership = null;
                return machine.lost(now, cause);
            });
            while (!finished && !isDone(handled)) {
                // The loop checks the flag {@code finished} regularly, because a run that ends does not process its
                // last inputs.
            }
        }

        @Override
        public void overlapped(long term, Leader by) {
            post(now -> machine.overlapped(term, by));
        }

        @Override
        public void leaderChanged(Optional<Leader> leader) {
            post(now -> machine.leaderSeen(now, leader));
        }

        private void post(Input input) {
            try {
                while (!finished && !inbox.offer(input, LOOK_AT_LEASE.toMillis(), TimeUnit.MILLISECONDS)) {
                    // The loop retries until the queue has room or the run has ended.
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean isDone(CompletableFuture<Void> handled) {
            try {
                handled.get(LOOK_AT_LEASE.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            } catch (ExecutionException e) {
                return true;
            }
        }
    }

    private final class Carrier implements RunEffect.Cases {
        @Override
        public void start(RunEffect.Start effect) {
            if (leadership == null) {
                throw new IllegalStateException("a command is started only under a leadership");
            }
            try {
                command.start(
                        leadership,
                        code -> inbox.add(now -> {
                            var fired = command.wasKilledByWatchdog();
                            var othersLive = !command.isGone();
                            if (!othersLive) {
                                command.forget();
                            }
                            return machine.commandExited(now, code, othersLive, fired);
                        }));
            } catch (CannotStartException e) {
                carry(machine.startFailed(e.exitCode(), String.valueOf(e.getMessage())));
            }
        }

        @Override
        public void forward(RunEffect.Forward effect) {
            command.forward(effect.signal());
        }

        @Override
        public void terminate(RunEffect.Terminate effect) {
            command.terminate();
        }

        @Override
        public void kill(RunEffect.Kill effect) {
            command.kill();
        }

        @Override
        public void save(RunEffect.Save effect) {
            Runnable done = () -> inbox.add(machine::saved);
            if (leadership == null) {
                done.run();
            } else {
                command.saveLast(leadership, done);
            }
        }

        @Override
        public void letGo(RunEffect.LetGo effect) {
            handled();
        }

        @Override
        public void resign(RunEffect.Resign effect) {
            if (candidate != null) {
                // The result is ignored, because the end of the leadership arrives as an event.
                var unused = candidate.resign();
            }
        }

        @Override
        public void report(RunEffect.Report effect) {
            notices.accept(effect.notice());
        }

        @Override
        public void exit(RunEffect.Exit effect) {
            exitCode = effect.code();
        }
    }
}
