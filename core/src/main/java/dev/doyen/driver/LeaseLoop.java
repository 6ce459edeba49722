package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.HandOverState;
import dev.doyen.event.Moment;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.lease.LeaseMachine;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.LeaseStep;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.CasOutcome;
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

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final Threads threads;
    private final LeaseStore store;
    private final String election;
    private final LeaseListener listener;
    private final LeaseMachine machine;
    private final Optional<LeaseStore.Watch> watch;
    private final AtomicBoolean noticePending = new AtomicBoolean();
    private final Carrier carrier = new Carrier();

    private LeaseState state;
    private Threads.@Nullable Timer timer;
    private boolean storeFailing;
    private volatile LeaseView view = LeaseView.NOTHING;
    private volatile boolean started;

    /**
     * Prepares a loop that observes; {@link #start} sets it going.
     *
     * @param seed spreads the looks of different loops apart; best a random number
     */
    public LeaseLoop(
            Threads threads, LeaseStore store, String election, LeaseTiming timing, long seed, LeaseListener listener) {
        this.threads = threads;
        this.store = store;
        this.election = election;
        this.listener = listener;
        this.watch = store.watch(election, this::notice);
        this.machine = new LeaseMachine(election, timing, watch.isPresent(), seed);
        this.state = machine.begin(threads.now());
    }

    public void start() {
        started = true;
        submit(LeaseInput.Woken::new);
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

    /** Steps down if leading, and stands back for {@code cooldown}. */
    public void resign(Duration cooldown) {
        submit(at -> new LeaseInput.Resign(at, cooldown));
    }

    /** Ends the loop, giving back what is held. */
    public void leave() {
        submit(LeaseInput.Leave::new);
    }

    /** All work of this term has come to an end: the lease may be given back. Owed once after each {@code Lost}. */
    public void workStopped(long term) {
        submit(at -> new LeaseInput.WorkStopped(at, term));
    }

    /** Stores {@code state} under the lease; the numbers of saves rise from 1. */
    public void save(long save, HandOverState handOver) {
        submit(at -> new LeaseInput.Save(at, save, handOver));
    }

    private void notice() {
        // One notice that waits says all that many could.
        if (started && noticePending.compareAndSet(false, true)) {
            submit(at -> {
                noticePending.set(false);
                return new LeaseInput.Noticed(at);
            });
        }
    }

    private void submit(Function<Moment, LeaseInput> input) {
        threads.loop(() -> take(input.apply(threads.now())));
    }

    private void take(LeaseInput input) {
        if (state.hasEnded()) {
            return;
        }
        try {
            LeaseStep step = machine.step(state, input);
            state = step.next();
            // Seen by all before anybody is told: a listener that asks finds what it was told.
            view = new LeaseView(state.grant(), state.leader(), state.lastConfirmed());
            if (timer != null) {
                timer.cancel();
            }
            timer = state.hasEnded()
                    ? null
                    : threads.at(step.wakeAtNanos(), () -> take(new LeaseInput.Woken(threads.now())));
            for (LeaseEffect effect : step.effects()) {
                effect.accept(carrier);
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "election=" + election + " could not take " + input + "; going on", e);
        }
    }

    private void look(long request) {
        boolean accepted = threads.store(() -> {
            Function<Moment, LeaseInput> answer;
            try {
                VersionedLease found = store.read(election);
                answer = at -> new LeaseInput.Looked(at, request, found);
            } catch (RuntimeException e) {
                answer = lookFailed(request, e.toString());
            }
            submit(answer);
        });
        if (!accepted) {
            submit(lookFailed(request, "all threads for store calls are busy"));
        }
    }

    private void write(LeaseEffect.Write write) {
        boolean accepted = threads.store(() -> {
            CasOutcome outcome;
            try {
                outcome = store.compareAndSet(election, write.expected(), write.next());
            } catch (RuntimeException e) {
                outcome = new CasOutcome.Unknown(e.toString());
            }
            answer(write.request(), outcome);
        });
        if (!accepted) {
            answer(write.request(), new CasOutcome.Unknown("all threads for store calls are busy"));
        }
    }

    private void answer(long request, CasOutcome outcome) {
        submit(at -> {
            storeAnswered(outcome instanceof CasOutcome.Unknown unknown ? unknown.reason() : null);
            return new LeaseInput.Answered(at, request, outcome);
        });
    }

    private Function<Moment, LeaseInput> lookFailed(long request, String why) {
        return at -> {
            storeAnswered(why);
            return new LeaseInput.LookFailed(at, request);
        };
    }

    /** Logs the first of a row of failures, and their end; on the loop thread. */
    private void storeAnswered(@Nullable String failure) {
        if (failure != null && !storeFailing) {
            LOG.log(Level.WARNING, "election=" + election + " store gave no usable answer: " + failure);
        } else if (failure == null && storeFailing) {
            LOG.log(Level.INFO, "election=" + election + " store answers again");
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
            Level level = effect.event() instanceof ElectionEvent.Jeopardy ? Level.WARNING : Level.INFO;
            LOG.log(level, () -> "election=" + election + " " + effect.event());
            listener.told(effect.event());
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
            watch.ifPresent(LeaseStore.Watch::close);
            listener.ended();
        }
    }
}
