package dev.doyen.driver;

import dev.doyen.election.Priority;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaderLease;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.lease.LeaseMachine;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.LeaseStep;
import dev.doyen.lease.OwnSession;
import dev.doyen.lease.RenewalMode;
import dev.doyen.lease.Sessions;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Drives one lease machine: passes inputs to it, and carries out its effects.
 *
 * <p>The loop reads the clocks once per input. It logs each change of the election and of the store's faults once, and
 * each minute that nobody leads. The class is longer than most classes, because each kind of input and effect has its
 * own method.
 *
 * <p>Threads: any thread may call any method except {@link #isQuiet}, and every method returns at once. The loop thread
 * of {@link Threads} processes the inputs one at a time, in order.
 */
public final class LeaseLoop {

    private final LoopContext context;
    private final Threads threads;
    private final String election;
    private final LeaseListener listener;
    private final LeaseMachine machine;
    private final Optional<LeaseStore.Watch> watch;
    private final AtomicBoolean noticePending = new AtomicBoolean();
    private final Carrier carrier = new Carrier();
    private final InputQueue inputs = new InputQueue();

    private final LoopTimer timer;
    private final LeaderlessReminder reminder = new LeaderlessReminder();
    private Optional<LeaseRecord.Epoch> following = Optional.empty();

    /**
     * The id of the candidate in the log; empty for an observer. Written on the loop thread only.
     *
     * <p>In a step that ends a candidacy, it is still the id of the candidate that ends.
     */
    private String candidate = "";

    /** The state of the machine. Written on the loop thread only. */
    private volatile LeaseView view;

    private volatile boolean started;

    /** Creates a loop that observes. {@link #start} starts the loop. */
    public LeaseLoop(LoopContext context, String election, Priority priority, LeaseListener listener) {
        this.context = context;
        this.threads = context.threads();
        this.timer = new LoopTimer(threads, () -> take(LeaseInput.Woken::new));
        this.election = election;
        this.listener = listener;
        long seed = context.seeds().getAsLong();
        Moment now = threads.now();
        // The watch is opened after all statements that can throw. Otherwise a watch could stay open without a loop
        // that closes it.
        this.watch = watch();
        this.machine =
                new LeaseMachine(election, context.timing(), context.renewalMode(), priority, watch.isPresent(), seed);
        this.view = new LeaseView(machine.begin(now), Sessions.NONE);
    }

    /** Returns the name of the election whose record this loop reads. */
    String election() {
        return election;
    }

    public void start() {
        started = true;
        if (holdsUnderSession()) {
            threads.loop(() -> context.sessions().join(this));
        }
        submit(LeaseInput.Woken::new);
    }

    /** Lets the machine check the time and the sessions. */
    void wake() {
        submit(LeaseInput.Woken::new);
    }

    /**
     * Returns true if the candidate leads now. The method first reads the state, then the clocks. So a result of true
     * was correct when the method read the clocks.
     */
    public boolean leads() {
        LeaseState state = view.state();
        if (!holdsUnderSession()) {
            return state.leads(threads.now());
        }
        Optional<OwnSession> own = context.sessions().own();
        return own.isPresent() && state.leadsWithin(own.get(), threads.now());
    }

    /**
     * Returns the leader lease with its present deadline; empty if the candidate does not lead.
     *
     * <p>The caller checks at each use whether the deadline has passed.
     */
    public Optional<LeaderLease> leaderLease() {
        LeaseState state = view.state();
        Optional<LeaderLease> leaderLease = state.leaderLease();
        if (leaderLease.isEmpty() || !holdsUnderSession()) {
            return leaderLease;
        }
        // The deadline of the session also limits this lease, because the process renews only the session (rule L12).
        return context.sessions().own().flatMap(state::leaderLeaseWithin);
    }

    /** Explains why this loop's candidate leads, or does not lead. */
    public Explanation explain() {
        LeaseState state = view.state();
        // Use the latest sessions, because the loop does not take a step at each renewal of the session.
        Sessions sessions = context.sessions().latest();
        return explain(state, sessions, threads.now());
    }

    private Explanation explain(LeaseState state, Sessions sessions, Moment now) {
        Optional<StoreFault> sessionFault =
                holdsUnderSession() ? context.sessions().ownFault() : Optional.empty();
        return machine.explain(state, sessions, sessionFault, now);
    }

    /** Returns the state after the last step. */
    public LeaseView view() {
        return view;
    }

    /**
     * Makes this loop a candidate. If a release is in progress, the loop becomes a candidate after the release. After
     * {@link #leave} the call has no effect.
     */
    public void campaign(Identity identity) {
        submit(at -> new LeaseInput.Campaign(at, identity));
    }

    /** Makes this loop an observer again. If the loop holds the lease, it releases the lease. */
    public void withdraw() {
        submit(LeaseInput.Withdraw::new);
    }

    /**
     * If the candidate leads, it steps down, and then waits for {@code cooldown}.
     *
     * @param successor the id of the preferred successor; empty if there is none
     */
    public void resign(Duration cooldown, String successor) {
        submit(at -> new LeaseInput.Resign(at, 0, cooldown, successor));
    }

    /** Carries out an admin command if leading, and does not campaign for {@code cooldown}. */
    public void stepDown(LeaseNotes.StepDownRequest request, Duration cooldown) {
        submit(at -> new LeaseInput.Resign(at, 0, cooldown, request.to(), request.by(), request.reason()));
    }

    /** If the candidate leads in this term, it steps down, and waits for the configured cooldown. */
    public void resignTerm(long term) {
        submit(at -> new LeaseInput.Resign(at, term, context.timing().resignCooldown(), ""));
    }

    /** Sets the eligibility of this candidate. */
    public void eligibilityChanged(Eligibility eligibility) {
        submit(at -> new LeaseInput.EligibilityChanged(at, eligibility));
    }

    void sessionDoubted(String reason) {
        submit(at -> new LeaseInput.SessionDoubted(at, reason));
    }

    void sessionRecovered() {
        submit(LeaseInput.SessionRecovered::new);
    }

    /** Fences the observed session if it is silent. Used only by the observer of a session record. */
    void fence(long epoch) {
        submit(at -> new LeaseInput.Fence(at, epoch));
    }

    /** Ends the loop, and releases the lease if this loop holds the lease. */
    public void leave() {
        submit(LeaseInput.Leave::new);
    }

    /**
     * Reports that all work of this term has stopped. The listener must call this method once after each {@code Lost}.
     */
    public void workStopped(long term) {
        threads.loop(() -> {
            if (holdsUnderSession()) {
                context.sessions().working(-1);
            }
            take(at -> new LeaseInput.WorkStopped(at, term));
        });
    }

    /**
     * Returns true if no input waits for another attempt, and no work or release of a past term is in progress. Called
     * on the loop thread.
     */
    public boolean isQuiet() {
        return inputs.isEmpty() && view.state().isSettled();
    }

    /** Stores {@code handOver} in the lease record. The caller numbers its saves 1, 2, 3 and so on. */
    public void save(long save, SavedState handOver) {
        submit(at -> new LeaseInput.Save(at, save, handOver));
    }

    /** Starts a watch. If the watch cannot start, the loop only polls. */
    private Optional<LeaseStore.Watch> watch() {
        try {
            return context.store().watch(election, this::notice);
        } catch (Throwable e) {
            context.log().fault(election, "a watch could not be started", e);
            return Optional.empty();
        }
    }

    private void notice() {
        // One waiting announcement is enough, because it makes the machine read the whole record.
        if (started && noticePending.compareAndSet(false, true)) {
            boolean accepted = submit(at -> {
                noticePending.set(false);
                return new LeaseInput.ChangeAnnounced(at);
            });
            if (!accepted) {
                noticePending.set(false);
            }
        }
    }

    private boolean submit(Function<Moment, LeaseInput> input) {
        return threads.loop(() -> take(input));
    }

    private void take(Function<Moment, LeaseInput> input) {
        if (inputs.take(() -> step(input))) {
            survives("a listener", listener::dropped);
        }
    }

    /**
     * Takes a step of the machine. Returns false if the machine has thrown. In this case the state stays as it is, and
     * only the timer is set again.
     */
    private boolean step(Function<Moment, LeaseInput> next) {
        if (view.state().hasEnded()) {
            return true;
        }
        LeaseState before = view.state();
        LeaseInput input;
        LeaseStep step;
        try {
            Sessions sessions = context.sessions().now();
            input = next.apply(threads.now());
            step = machine.step(view.state(), input, sessions);
            // The view is published before the listener is called, so that a listener reads the new state.
            view = new LeaseView(step.next(), sessions);
        } catch (Throwable e) {
            context.log().fault(election, "a step failed", e);
            wakeSoon();
            return false;
        }
        candidate = before.candidateId().or(step.next()::candidateId).orElse("");
        logFault(before, step.next(), input);
        survives("following a session", () -> follow(step.next().epoch()));
        survives("a listener", () -> listener.observed(step.next(), input.at()));
        carrier.termChanged = false;
        for (LeaseEffect effect : step.effects()) {
            survives("an effect", () -> effect.accept(carrier));
        }
        survives("a reminder", () -> remind(step.next(), input.at()));
        // The timer is set last, so a failure to set it cannot prevent the effects.
        if (!survives("a timer", () -> timer.set(reminder.earlier(step.wakeAtNanos())))) {
            wakeSoon();
        }
        return true;
    }

    /** Logs each minute that nobody leads, with the reason. An observer logs no reminder. */
    private void remind(LeaseState state, Moment now) {
        reminder.due(state.lacksLeader(), now).ifPresent(time -> {
            String why = explain(state, context.sessions().latest(), now).sentence();
            log(Level.WARNING, "nobody has led for " + time.toSeconds() + " s: " + why);
        });
    }

    private void log(Level level, Object what) {
        context.log().logOfCandidate(level, election, candidate, what);
    }

    /**
     * After a fault, schedules the next step after one poll interval. In this step the machine detects an expired
     * request timeout or deadline.
     */
    private void wakeSoon() {
        survives(
                "a timer",
                () -> timer.set(
                        threads.now().nanos() + context.timing().pollEvery().toNanos()));
    }

    /** Runs a part of a step. An exception neither ends the loop nor prevents the next effect (rule L8). */
    private boolean survives(String what, Runnable part) {
        return context.log().survives(election, what, part);
    }

    private void follow(Optional<LeaseRecord.Epoch> epoch) {
        if (!epoch.equals(following)) {
            context.sessions().follow(this, epoch);
            following = epoch;
        }
    }

    private void read(long request) {
        context.storeExecutor().read(election, new StoreExecutor.Reader() {
            @Override
            public void found(VersionedLease lease) {
                submit(at -> new LeaseInput.ReadAnswered(at, request, lease));
            }

            @Override
            public void failed(StoreFault fault) {
                submit(at -> new LeaseInput.ReadFailed(at, request, fault));
            }
        });
    }

    private void write(LeaseEffect.Write write) {
        context.storeExecutor()
                .write(
                        write.kind(),
                        write.expected(),
                        write.next(),
                        outcome -> submit(at -> new LeaseInput.Answered(at, write.request(), outcome)));
    }

    private boolean holdsUnderSession() {
        return context.renewalMode() == RenewalMode.RENEWS_SESSION;
    }

    /**
     * Logs the first of several consecutive faults of one kind, and the first success after them.
     *
     * <p>If a read makes the machine forget a rejected write, the store has not accepted a write. So the loop then logs
     * nothing.
     */
    private void logFault(LeaseState stateBefore, LeaseState stateAfter, LeaseInput input) {
        Optional<StoreFault> before = stateBefore.storeFault();
        Optional<StoreFault> after = stateAfter.storeFault();
        if (after.isEmpty()) {
            boolean isForgotten = input instanceof LeaseInput.ReadAnswered
                    && stateBefore.writeFault().filter(StoreFault::refused).equals(before);
            before.filter(fault -> !isForgotten)
                    .ifPresent(fault -> log(
                            Level.INFO,
                            fault.refused() ? "the store accepts the requests again" : "the store answers again"));
        } else if (before.isEmpty() || !before.get().isLike(after.get())) {
            log(
                    Level.WARNING,
                    (after.get().refused()
                                    ? "the store rejects the requests of this process: "
                                    : "the store returned no usable answer: ")
                            + after.get().reason());
        }
    }

    /** Carries out effects, on the loop thread, inside {@link #take}. */
    private final class Carrier implements LeaseEffect.Cases {

        /** True if a term of this candidate has begun or ended in the present step. */
        private boolean termChanged;

        @Override
        public void read(LeaseEffect.Read effect) {
            LeaseLoop.this.read(effect.request());
        }

        @Override
        public void write(LeaseEffect.Write effect) {
            LeaseLoop.this.write(effect);
        }

        @Override
        public void report(LeaseEffect.Report effect) {
            Level level = effect.event() instanceof ElectionEvent.Jeopardy
                            || effect.event() instanceof ElectionEvent.Overlapped
                    ? Level.WARNING
                    : Level.INFO;
            logEvent(level, effect.event());
            if (holdsUnderSession() && effect.event() instanceof ElectionEvent.Elected) {
                context.sessions().working(1);
            }
            boolean delivered = survives("a listener", () -> listener.onEvent(effect.event()));
            if (!delivered && effect.event() instanceof ElectionEvent.Elected elected) {
                // The listener threw, so the work of this term has possibly not started. The candidate resigns.
                resignTerm(elected.term());
            }
        }

        /**
         * Logs an event, unless it only repeats the line before it.
         *
         * <p>When a term of this candidate begins or ends, the leader changes in the same step.
         */
        private void logEvent(Level level, ElectionEvent event) {
            if (event instanceof ElectionEvent.Elected || event instanceof ElectionEvent.Lost) {
                termChanged = true;
            } else if (termChanged
                    && event instanceof ElectionEvent.LeaderChanged changed
                    && changed.leader()
                            .filter(leader -> !leader.id().equals(candidate))
                            .isEmpty()) {
                return;
            }
            log(level, event);
        }

        @Override
        public void blocked(LeaseEffect.Blocked effect) {
            listener.blocked(effect.by());
        }

        @Override
        public void saved(LeaseEffect.Saved effect) {
            listener.saved(effect.save());
        }

        @Override
        public void settled(LeaseEffect.Settled effect) {
            listener.settled();
        }

        @Override
        public void ended(LeaseEffect.Ended effect) {
            survives("ending a watch", () -> watch.ifPresent(LeaseStore.Watch::close));
            survives("ending a candidate of a session", () -> context.sessions().leave(LeaseLoop.this));
            listener.ended();
        }

        @Override
        public void fence(LeaseEffect.Fence effect) {
            context.sessions().fence(effect.session());
        }
    }
}
