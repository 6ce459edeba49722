package dev.doyen.driver;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.ring.MalformedRingMessageException;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingInput;
import dev.doyen.ring.RingMachine;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingState;
import dev.doyen.ring.RingStep;
import dev.doyen.ring.RingWire;
import dev.doyen.ring.Term;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives one ring machine: reads the clocks once per input, carries effects out. Begins as an observer, and passes messages
 * on until the membership ends, whoever stands here meanwhile.
 *
 * <p>Stop before passing on: after a leadership has ended, what the machine wants sent waits until the work has stopped; but
 * not longer than the leadership could have lasted, so that work which does not stop cannot hold the ring.
 *
 * <p>Threads: every method may be called from any thread and returns at once; inputs are taken one at a time, in order,
 * on the loop thread of {@link Threads}. {@link #view} is safe to read at any rate.
 */
public final class RingLoop {

    /** Before the election's name, in its topic. */
    public static final String TOPIC = "ring/";

    /** So many messages may wait to be taken; further ones are lost, as the network loses them. */
    static final int MAX_WAITING = 10_000;

    /** So many messages wait for the work to stop; then the oldest are lost. */
    static final int MAX_HELD = 1_000;

    /** Members whose faults are logged once each; of others they are only counted. */
    private static final int MAX_BLAMED = 100;

    private final Threads threads;
    private final String election;
    private final Membership membership;
    private final LoopListener listener;
    private final RingMachine machine;
    private final Duration lead;
    private final EventLog log;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Set<Object> blamed = new HashSet<>();
    private final Deque<RingEffect.Send> held = new ArrayDeque<>();
    private final RingTally tally = new RingTally();

    private Threads.@Nullable Timer timer;
    private long timerAtNanos;

    /** Whether somebody wants to lead here. */
    private boolean wanted;

    /** The term whose work has not stopped yet; 0 for none. Until it has, no other is told to have begun. */
    private long stopping;

    /** Whether the machine was told to stand back, since that takes so long. */
    private boolean benched;

    private Threads.@Nullable Timer release;
    private Threads.@Nullable Timer patience;
    private boolean ended;

    /** The term that was told to have begun, and not to have ended; 0 for none. */
    private volatile long told;

    /** Written on the loop thread. */
    private volatile RingState view;

    private volatile Optional<LossCause> stoodBack = Optional.of(LossCause.CLOSED);
    private volatile boolean doubted;

    /** Prepares a loop that observes; {@link #start} sets it going. */
    public RingLoop(
            Threads threads, String election, Membership membership, RingSettings settings, LoopListener listener) {
        this.threads = threads;
        this.election = election;
        this.membership = membership;
        this.listener = listener;
        this.machine = new RingMachine(settings);
        this.lead = settings.timing().lead();
        this.log = new EventLog(threads);
        this.view = machine.begin(membership.me());
    }

    /**
     * Takes part from now on.
     *
     * @throws IllegalStateException if this membership takes part in the election already, or has
     */
    public void start() {
        submit(at -> new RingInput.StandBack(at, LossCause.CLOSED));
        membership.listen(TOPIC + election, new Hearing());
    }

    /** The term in which this member leads now: the clocks are read after everything else, so that it held then. */
    public Optional<Term> leading() {
        return view.leading().filter(term -> !remaining(term.counter()).isZero());
    }

    /** For how long this member leads in this term without another confirmation, at the least; zero if it does not. */
    public Duration remaining(long term) {
        RingState state = view;
        boolean leads = term == told
                && state.leading().filter(each -> each.counter() == term).isPresent();
        return leads ? state.remainingAt(threads.now()) : Duration.ZERO;
    }

    /** What is known as of the last step. */
    public RingState view() {
        return view;
    }

    /** What went over the network, and what did not. */
    public RingTally tally() {
        return tally;
    }

    /** Who leads, as far as is known. */
    public Optional<Leader> leader() {
        return leader(view.leader());
    }

    /** Why this member leads, or does not. */
    public Explanation explain() {
        return RingExplainer.explain(view, leading().isPresent(), threads.now(), stoodBack, doubted);
    }

    /** Becomes a candidate, or is well again. */
    public void stand() {
        threads.loop(() -> {
            wanted = true;
            stoodBack = Optional.empty();
            if (!benched) {
                take(new RingInput.Stand(threads.now()));
            }
        });
    }

    /** Leads no more, for this cause, until {@link #stand}. Done once taken and {@linkplain #isQuiet quiet}. */
    public void standBack(LossCause cause) {
        threads.loop(() -> {
            wanted = false;
            stoodBack = Optional.of(cause);
            take(new RingInput.StandBack(threads.now(), cause));
        });
    }

    /** Steps down if leading, and does not stand for {@code cooldown}. Done once taken and {@linkplain #isQuiet quiet}. */
    public void resign(Duration cooldown) {
        threads.loop(() -> {
            take(new RingInput.Resign(threads.now(), cooldown));
        });
    }

    /** Whether no work of a term that is over is going on; on the loop thread. */
    public boolean isQuiet() {
        return stopping == 0;
    }

    /** All work of this term has come to an end. Owed once after each {@code Lost}; {@code settled} is told then. */
    public void workStopped(long term) {
        threads.loop(() -> {
            if (stopping == term) {
                stopping = 0;
                passOn();
                standAgain();
                listener.settled();
            }
        });
    }

    static Optional<Leader> leader(Optional<Term> term) {
        return term.flatMap(
                each -> Optional.ofNullable(each.creator()).map(creator -> new Leader(creator.id(), each.counter())));
    }

    private void submit(Function<Moment, RingInput> input) {
        threads.loop(() -> take(input.apply(threads.now())));
    }

    private void take(RingInput input) {
        if (ended) {
            return;
        }
        try {
            Duration couldLead = view.remainingAt(input.at());
            RingStep step = machine.step(view, input);
            // Seen by all before anybody is told: a listener that asks finds what it was told.
            view = step.next();
            setTimer(step.wakeAtNanos());
            for (RingEffect effect : step.effects()) {
                carry(effect, input.at(), couldLead);
            }
        } catch (RuntimeException e) {
            log.say(Level.ERROR, election, "could not take " + input + "; going on", e);
        }
    }

    private void carry(RingEffect effect, Moment at, Duration couldLead) {
        if (effect instanceof RingEffect.Send send) {
            hold(send);
        } else if (effect instanceof RingEffect.Lead lead) {
            elected(lead.term());
        } else if (effect instanceof RingEffect.StepDown down) {
            steppedDown(down, at, couldLead);
        } else if (effect instanceof RingEffect.Jeopardy jeopardy) {
            doubted(jeopardy);
        } else if (effect instanceof RingEffect.Recovered recovered) {
            recovered(recovered);
        } else if (effect instanceof RingEffect.LeaderChanged changed) {
            tell(Level.INFO, new ElectionEvent.LeaderChanged(leader(changed.term())));
        } else if (effect instanceof RingEffect.Dropped dropped) {
            tally.drop(dropped.why());
            if (dropped.why() == RingEffect.Why.OTHER_ALGORITHM) {
                blame(dropped.from(), "uses another algorithm than this member; set the same for all");
            }
        }
    }

    private void elected(Term term) {
        if (stopping == 0) {
            doubted = false;
            told = term.counter();
            tell(Level.INFO, new ElectionEvent.Elected(term.counter(), HandOverState.EMPTY));
        }
    }

    private void doubted(RingEffect.Jeopardy jeopardy) {
        if (told == jeopardy.term().counter()) {
            doubted = true;
            String reason = "no message has come round the ring for "
                    + lead.dividedBy(2).toMillis() + " ms";
            tell(Level.WARNING, new ElectionEvent.Jeopardy(jeopardy.term().counter(), jeopardy.remaining(), reason));
        }
    }

    private void recovered(RingEffect.Recovered recovered) {
        if (told == recovered.term().counter()) {
            doubted = false;
            tell(Level.INFO, new ElectionEvent.Recovered(recovered.term().counter()));
        }
    }

    private void steppedDown(RingEffect.StepDown down, Moment at, Duration couldLead) {
        long term = down.term().counter();
        if (told != term) {
            // Nobody was told of it: the work of the term before has not stopped.
            return;
        }
        told = 0;
        stopping = term;
        if (!couldLead.isZero()) {
            release = threads.at(at.nanos() + couldLead.toNanos(), this::passOn);
        }
        patience = threads.at(at.nanos() + lead.toNanos(), () -> bench(term, down.cause()));
        tell(Level.INFO, new ElectionEvent.Lost(term, down.cause()));
    }

    /** The work does not stop: who cannot lead does not stand. */
    private void bench(long term, LossCause cause) {
        if (stopping == term) {
            benched = true;
            take(new RingInput.StandBack(threads.now(), cause));
        }
    }

    /** The work has stopped: what came of the ring meanwhile holds, if it still does. */
    private void standAgain() {
        if (patience != null) {
            patience.cancel();
            patience = null;
        }
        boolean wasBenched = benched;
        benched = false;
        if (wasBenched && wanted) {
            take(new RingInput.Stand(threads.now()));
        } else if (!view.remainingAt(threads.now()).isZero()) {
            view.leading().ifPresent(this::elected);
        }
    }

    private void tell(Level level, ElectionEvent event) {
        log.say(level, election, event);
        listener.told(event);
    }

    private void hold(RingEffect.Send send) {
        if (release == null) {
            send(send);
            return;
        }
        if (held.size() == MAX_HELD) {
            held.removeFirst();
            tally.unsent();
        }
        held.addLast(send);
    }

    /** The work has stopped, or the leadership would be over by itself. */
    private void passOn() {
        if (release != null) {
            release.cancel();
            release = null;
            held.forEach(this::send);
            held.clear();
        }
    }

    private void send(RingEffect.Send send) {
        if (membership.send(send.to(), TOPIC + election, RingWire.write(send.message()))) {
            tally.sent(send.message());
        } else {
            tally.unsent();
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
                    take(new RingInput.Woken(threads.now()));
                });
    }

    private void blame(Member from, String sentence) {
        if (blamed.size() < MAX_BLAMED && blamed.add(from)) {
            log.say(Level.WARNING, election, from + " " + sentence);
        }
    }

    /** What the membership says, on its way to the loop thread. */
    private final class Hearing implements MembershipListener {
        @Override
        public void installed(View next) {
            submit(at -> {
                log.say(
                        Level.INFO,
                        election,
                        "view " + next.id().number() + " has "
                                + next.members().stream()
                                        .map(Member::id)
                                        .sorted()
                                        .toList());
                return new RingInput.Installed(at, next);
            });
        }

        @Override
        public void received(Member from, byte[] message) {
            if (waiting.incrementAndGet() > MAX_WAITING) {
                waiting.decrementAndGet();
                tally.tooMany();
                return;
            }
            threads.loop(() -> {
                waiting.decrementAndGet();
                Moment at = threads.now();
                try {
                    take(new RingInput.Received(at, from, RingWire.read(message)));
                } catch (MalformedRingMessageException e) {
                    tally.malformed();
                    blame(from, "sent what is no message of the ring: " + e.getMessage());
                }
            });
        }

        @Override
        public void ended() {
            threads.loop(() -> {
                wanted = false;
                stoodBack = Optional.of(LossCause.CLOSED);
                take(new RingInput.Leave(threads.now()));
                ended = true;
                if (timer != null) {
                    timer.cancel();
                }
                passOn();
                listener.ended();
            });
        }
    }
}
