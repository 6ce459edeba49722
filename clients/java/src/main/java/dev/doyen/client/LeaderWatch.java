package dev.doyen.client;

import dev.doyen.client.state.Answer;
import dev.doyen.client.state.Effect;
import dev.doyen.client.state.LastAnswer;
import dev.doyen.client.state.LeaderState;
import dev.doyen.client.state.StepContext;
import dev.doyen.client.state.WatchMachine;
import dev.doyen.client.state.WatchSettings;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches an elector, and reconnects after faults. {@link WatchMachine} contains the rules of the watch.
 *
 * <p>The watch logs the first failure of its stream, and then the next event that it receives. It logs no failure
 * between these two.
 *
 * <p>Threads: the methods may be called on any thread and do not block. A watch has one daemon thread.
 */
public final class LeaderWatch implements AutoCloseable, Flow.Publisher<LeaderState> {

    private static final System.Logger LOG = System.getLogger(LeaderWatch.class.getName());

    /** The maximum number of different faults that the watch logs. */
    private static final int MAX_FAULTS = 100;

    /**
     * The delay after a fault, in nanoseconds.
     *
     * <p>A fault such as a shortage of memory can last for some time.
     */
    private static final long REST_NANOS = 100_000_000;

    /**
     * The queue of inputs. For each stream, it contains at most one piece, the head and the end of the stream. It also
     * contains at most one answer. Each call of {@link #listen}, {@link #subscribe} or a {@code close} method adds one
     * input.
     */
    private final BlockingQueue<Function<StepContext, List<Effect>>> inputs = new LinkedBlockingQueue<>();

    private final CopyOnWriteArraySet<LatestState> subscribers = new CopyOnWriteArraySet<>();
    private final CopyOnWriteArraySet<Listening> listeners = new CopyOnWriteArraySet<>();
    private final WatchMachine machine;
    private final URI url;
    private final Supplier<CompletableFuture<Optional<Answer>>> question;
    private final Effect.Cases hands = new Hands();
    private final Set<String> faults = new HashSet<>();
    private volatile LastAnswer lastAnswer;
    private volatile boolean closed;

    LeaderWatch(WatchSettings settings, URI url, Supplier<CompletableFuture<Optional<Answer>>> question) {
        this.machine = new WatchMachine(settings);
        this.lastAnswer = machine.lastAnswer();
        this.url = url;
        this.question = question;
        var thread = new Thread(this::run, "doyen-client");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Returns true if this process leads according to the last answer and its age.
     *
     * <p>The result is false after {@link #close}. The method only reads a clock.
     */
    public boolean isLeader() {
        return state().isLeader();
    }

    /** Returns the present state, which is unknown after {@link #close}. */
    public LeaderState state() {
        return closed
                ? LastAnswer.nothing(lastAnswer.self(), lastAnswer.maxAgeNanos(), lastAnswer.whenUnknown())
                        .state(0)
                : lastAnswer.state(System.nanoTime());
    }

    /**
     * Returns how long the present state remains valid without another answer.
     *
     * <p>The result is zero if the state is outdated, and after {@link #close}.
     */
    public Duration freshFor() {
        return closed ? Duration.ZERO : lastAnswer.freshFor(System.nanoTime());
    }

    /**
     * Registers a listener, which receives the present state and then each change.
     *
     * @return a registration whose close ends the calls
     */
    public Registration listen(LeaderListener listener) {
        var own = new Listening(listener);
        inputs.add(context -> {
            listeners.add(own);
            notifyListener(own, machine.lastAnswer().state(context.nanos()));
            return List.of();
        });
        return () -> inputs.add(context -> {
            listeners.remove(own);
            return List.of();
        });
    }

    /**
     * Publishes the present state and then each change.
     *
     * <p>A slow subscriber can miss outdated states, but it always receives the present state. The subscription
     * completes when the watch is closed.
     */
    @Override
    public void subscribe(Flow.Subscriber<? super LeaderState> subscriber) {
        var latest = new LatestState(subscriber, subscribers);
        latest.begin();
        inputs.add(context -> {
            latest.offer(machine.lastAnswer().state(context.nanos()));
            return List.of();
        });
        if (closed) {
            latest.complete();
        }
    }

    /** Ends the watch. Soon after this call, the connection closes and the subscribers complete. */
    @Override
    public void close() {
        closed = true;
        inputs.add(context -> List.of());
    }

    private void run() {
        survives("the start", () -> carryOut(machine.start(context())));
        while (!closed) {
            if (!survives("a context", this::takeNext)) {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
        survives("the end", hands::close);
        subscribers.forEach(LatestState::complete);
    }

    private void takeNext() {
        long now = System.nanoTime();
        try {
            Function<StepContext, List<Effect>> input =
                    inputs.poll(machine.wakeAtNanos(now) - now, TimeUnit.NANOSECONDS);
            carryOut(input == null ? machine.passed(context()) : input.apply(context()));
        } catch (InterruptedException e) {
            // The interrupt is ignored, because only this class has access to the thread.
        }
    }

    private void carryOut(List<Effect> effects) {
        lastAnswer = machine.lastAnswer();
        effects.forEach(each -> survives("an effect", () -> each.accept(hands)));
    }

    /**
     * Runs one part of the watch's work. Returns false if the part throws.
     *
     * <p>The method logs each kind of fault at most once.
     */
    private boolean survives(String what, Runnable part) {
        try {
            part.run();
            return true;
        } catch (Throwable e) {
            try {
                if (faults.size() < MAX_FAULTS && faults.add(what + "\n" + e)) {
                    LOG.log(Level.ERROR, "url=" + url + " " + what + " failed; the client continues", e);
                }
            } catch (Throwable logFailed) {
                // A log appender can throw too. The exception is ignored, because the watch must continue with the next
                // input.
            }
            return false;
        }
    }

    private void notifyListener(Listening listening, LeaderState state) {
        survives("a listener", () -> listening.notifyListener(state));
    }

    private static StepContext context() {
        return new StepContext(System.nanoTime(), ThreadLocalRandom.current().nextDouble());
    }

    /**
     * A wrapper of a listener. Each registration has its own wrapper, so a listener that was added twice can be removed
     * once.
     */
    private static final class Listening {
        private final LeaderListener listener;

        Listening(LeaderListener listener) {
            this.listener = listener;
        }

        void notifyListener(LeaderState state) {
            listener.changed(state);
        }
    }

    /** A registration whose close removes the listener. */
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    private final class Hands implements Effect.Cases, EventStream.Listener {
        private @Nullable EventStream stream;

        @Override
        public void open(String lastEventId) {
            stream = new EventStream(url, lastEventId, this);
        }

        @Override
        public void close() {
            EventStream old = stream;
            stream = null;
            if (old != null) {
                old.close();
            }
        }

        @Override
        public void request() {
            CompletableFuture<Optional<Answer>> put;
            try {
                put = question.get();
            } catch (Throwable e) {
                // The failure must be reported, because the machine waits for exactly one answer or failure.
                inputs.add(context -> machine.unanswered(String.valueOf(e), context));
                throw e;
            }
            CompletableFuture<?> unused = put.whenComplete((answer, fault) -> {
                if (fault == null) {
                    inputs.add(context -> machine.answered(answer, context));
                } else {
                    inputs.add(context -> machine.unanswered(Question.why(fault), context));
                }
            });
        }

        @Override
        public void notifyListener(LeaderState state) {
            listeners.forEach(each -> LeaderWatch.this.notifyListener(each, state));
            subscribers.forEach(each -> each.offer(state));
        }

        @Override
        public void trouble(String sentence) {
            LOG.log(
                    Level.WARNING,
                    "url=" + url + " gave no valid answer: " + sentence
                            + "; check the address and that the elector runs; trying again");
        }

        @Override
        public void recovered() {
            LOG.log(Level.INFO, "url=" + url + " answers again");
        }

        @Override
        public void opened(EventStream from, int status, String contentType) {
            inputs.add(context -> from == stream ? machine.opened(status, contentType, context) : List.of());
        }

        @Override
        public void bytes(EventStream from, byte[] bytes) {
            inputs.add(context -> {
                if (from != stream) {
                    return List.of();
                }
                List<Effect> effects = machine.bytes(bytes, context);
                from.more();
                return effects;
            });
        }

        @Override
        public void ended(EventStream from, String why) {
            inputs.add(context -> from == stream ? machine.ended(why, context) : List.of());
        }
    }
}
