package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.HandOverState;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Fitness;
import dev.doyen.lease.Grant;
import dev.doyen.lease.Identity;
import dev.doyen.lease.Keeping;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.lease.LeaseMachine;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.LeaseStep;
import dev.doyen.lease.OwnSession;
import dev.doyen.lease.Priority;
import dev.doyen.lease.Sessions;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives one lease machine: reads the clocks once per input, carries effects out, feeds answers back.
 *
 * <p>Threads: every method may be called from any thread and returns at once; inputs are taken one at a time, in order,
 * on the loop thread of {@link Threads}. {@link #view} is safe to read at any rate.
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

    private Threads.@Nullable Timer timer;
    private long timerAtNanos;
    private boolean storeFailing;
    private Optional<Epoch> following = Optional.empty();

    /** The only state there is; written on the loop thread. */
    private volatile LeaseView view;

    private volatile boolean started;

    /** Prepares a loop that observes; {@link #start} starts it. */
    public LeaseLoop(LoopContext context, String election, Priority priority, LeaseListener listener) {
        this.context = context;
        this.threads = context.threads();
        this.election = election;
        this.listener = listener;
        this.watch = watch();
        this.machine = new LeaseMachine(
                election,
                context.timing(),
                context.keeping(),
                priority,
                watch.isPresent(),
                context.seeds().getAsLong());
        this.view = new LeaseView(machine.begin(threads.now()), Sessions.NONE);
    }

    /** The name of the election whose record this loop reads. */
    String election() {
        return election;
    }

    public void start() {
        started = true;
        if (holdsUnderSession()) {
            threads.loop(() -> context.sessions().seated(this));
        }
        submit(LeaseInput.Woken::new);
    }

    /** Lets the machine look at the time and at the sessions. */
    void wake() {
        submit(LeaseInput.Woken::new);
    }

    /** Whether this loop's candidate leads now: the clocks are read after everything else, so that true was true then. */
    public boolean leads() {
        LeaseState state = view.state();
        if (!holdsUnderSession()) {
            return state.leads(threads.now());
        }
        Optional<OwnSession> own = context.sessions().own();
        return own.isPresent() && state.leadsWithin(own.get(), threads.now());
    }

    /**
     * The right to lead, if this loop's candidate has it, with the deadline as it is now; whether it still holds is to
     * be asked at the time of use.
     */
    public Optional<Grant> grant() {
        LeaseState state = view.state();
        Optional<Grant> grant = state.grant();
        if (grant.isEmpty() || !holdsUnderSession()) {
            return grant;
        }
        // Rule L12: the session is renewed, the lease is not.
        return context.sessions().own().flatMap(state::grantWithin);
    }

    /** Why this loop's candidate leads, or does not. */
    public Explanation explain() {
        LeaseState state = view.state();
        // As known now: this loop may not have taken a step since the session that it waits for was renewed.
        Sessions sessions = context.sessions().latest();
        return machine.explain(state, sessions, threads.now());
    }

    /** What is known as of the last step. */
    public LeaseView view() {
        return view;
    }

    /** Becomes a candidate; from observing, or after what is being given up. */
    public void stand(Identity identity) {
        submit(at -> new LeaseInput.Stand(at, identity));
    }

    /** Observes again, giving back what is held. */
    public void withdraw() {
        submit(LeaseInput.Withdraw::new);
    }

    /**
     * Steps down if leading, and does not campaign for {@code cooldown}.
     *
     * @param heir the candidate to hand over to; empty for any
     */
    public void resign(Duration cooldown, String heir) {
        submit(at -> new LeaseInput.Resign(at, 0, cooldown, heir));
    }

    /** Steps down if leading in this term, and does not campaign for the timing's cooldown. */
    public void resignTerm(long term) {
        submit(at -> new LeaseInput.Resign(at, term, context.timing().resignCooldown(), ""));
    }

    /** This process's judgement of itself has changed. */
    public void judged(Fitness fitness) {
        submit(at -> new LeaseInput.Judged(at, fitness));
    }

    void sessionDoubted(String reason) {
        submit(at -> new LeaseInput.SessionDoubted(at, reason));
    }

    void sessionRecovered() {
        submit(LeaseInput.SessionRecovered::new);
    }

    /** For an observer of a session's record: ends the session if it is silent. */
    void fence(long epoch) {
        submit(at -> new LeaseInput.Fence(at, epoch));
    }

    /** Ends the loop, giving back what is held. */
    public void leave() {
        submit(LeaseInput.Leave::new);
    }

    /** All work of this term has come to an end: the lease may be given back. Owed once after each {@code Lost}. */
    public void workStopped(long term) {
        threads.loop(() -> {
            if (holdsUnderSession()) {
                context.sessions().working(-1);
            }
            take(at -> new LeaseInput.WorkStopped(at, term));
        });
    }

    /** Stores {@code state} under the lease; the numbers of saves rise from 1. */
    public void save(long save, HandOverState handOver) {
        submit(at -> new LeaseInput.Save(at, save, handOver));
    }

    /** Without a watch the loop polls. So a watch that cannot be started ends nothing. */
    private Optional<LeaseStore.Watch> watch() {
        try {
            return context.store().watch(election, this::notice);
        } catch (Throwable e) {
            context.log().fault(election, "the start of a watch failed", e);
            return Optional.empty();
        }
    }

    private void notice() {
        // One notice that waits says all that many could.
        if (started && noticePending.compareAndSet(false, true)) {
            boolean accepted = submit(at -> {
                noticePending.set(false);
                return new LeaseInput.Noticed(at);
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
        inputs.take(() -> step(input));
    }

    /** Returns whether the machine has taken the input. If it failed, nothing has changed but the timer. */
    private boolean step(Function<Moment, LeaseInput> next) {
        if (view.state().hasEnded()) {
            return true;
        }
        LeaseInput input;
        LeaseStep step;
        try {
            Sessions sessions = context.sessions().now();
            input = next.apply(threads.now());
            step = machine.step(view.state(), input, sessions);
            // The view is published before the listener is called, so a listener that reads it finds the news in it.
            view = new LeaseView(step.next(), sessions);
        } catch (Throwable e) {
            context.log().fault(election, "a step failed", e);
            lookSoon();
            return false;
        }
        survives("following a session", () -> follow(step.next().epoch()));
        survives("a listener", () -> listener.observed(step.next(), input.at()));
        for (LeaseEffect effect : step.effects()) {
            survives("an effect", () -> effect.accept(carrier));
        }
        // Last: if the timer cannot be set, the effects have been carried out.
        if (!survives("a timer", () -> setTimer(step.wakeAtNanos()))) {
            lookSoon();
        }
        return true;
    }

    /** The machine finds out what was lost with a fault: requests time out, and time has passed. */
    private void lookSoon() {
        survives(
                "a timer",
                () -> setTimer(
                        threads.now().nanos() + context.timing().pollEvery().toNanos()));
    }

    /** Rule L8: nothing that is thrown ends the loop, or keeps the effects of a step from being carried out. */
    private boolean survives(String what, Runnable part) {
        return context.log().survives(election, what, part);
    }

    private void follow(Optional<Epoch> epoch) {
        if (!epoch.equals(following)) {
            context.sessions().follow(this, epoch);
            following = epoch;
        }
    }

    private void setTimer(long wakeAtNanos) {
        if (timer != null && timerAtNanos == wakeAtNanos) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timerAtNanos = wakeAtNanos;
        timer = wakeAtNanos == Long.MAX_VALUE
                ? null
                : threads.at(wakeAtNanos, () -> {
                    timer = null;
                    take(LeaseInput.Woken::new);
                });
    }

    private void look(long request) {
        context.desk().read(election, new StoreDesk.Reader() {
            @Override
            public void found(VersionedLease lease) {
                submit(at -> {
                    storeAnswered(null);
                    return new LeaseInput.Looked(at, request, lease);
                });
            }

            @Override
            public void failed(String reason) {
                submit(at -> {
                    storeAnswered(reason);
                    return new LeaseInput.LookFailed(at, request);
                });
            }
        });
    }

    private void write(LeaseEffect.Write write) {
        context.desk()
                .write(
                        write.expected(),
                        write.next(),
                        outcome -> submit(at -> {
                            storeAnswered(outcome instanceof CasOutcome.Unknown unknown ? unknown.reason() : null);
                            return new LeaseInput.Answered(at, write.request(), outcome);
                        }));
    }

    private boolean holdsUnderSession() {
        return context.keeping() == Keeping.UNDER_SESSION;
    }

    /** Logs the first of a row of failures, and their end; on the loop thread. */
    private void storeAnswered(@Nullable String failure) {
        if (failure != null && !storeFailing) {
            context.log().say(Level.WARNING, election, "store gave no usable answer: " + failure);
        } else if (failure == null && storeFailing) {
            context.log().say(Level.INFO, election, "store answers again");
        }
        storeFailing = failure != null;
    }

    /** Carries effects out, on the loop thread, inside {@link #take}. */
    private final class Carrier implements LeaseEffect.Cases {
        @Override
        public void look(LeaseEffect.Look effect) {
            LeaseLoop.this.look(effect.request());
        }

        @Override
        public void write(LeaseEffect.Write effect) {
            LeaseLoop.this.write(effect);
        }

        @Override
        public void tell(LeaseEffect.Tell effect) {
            Level level = effect.event() instanceof ElectionEvent.Jeopardy
                            || effect.event() instanceof ElectionEvent.Overlapped
                    ? Level.WARNING
                    : Level.INFO;
            context.log().say(level, election, effect.event());
            if (holdsUnderSession() && effect.event() instanceof ElectionEvent.Elected) {
                context.sessions().working(1);
            }
            boolean heard = survives("a listener", () -> listener.told(effect.event()));
            if (!heard && effect.event() instanceof ElectionEvent.Elected elected) {
                // Nobody knows that there is work to do.
                resignTerm(elected.term());
            }
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
            survives("the end of a watch", () -> watch.ifPresent(LeaseStore.Watch::close));
            survives("the end under a session", () -> context.sessions().unseated(LeaseLoop.this));
            listener.ended();
        }

        @Override
        public void fence(LeaseEffect.Fence effect) {
            context.sessions().fence(effect.session());
        }
    }
}
