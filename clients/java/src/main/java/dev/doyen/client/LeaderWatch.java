package dev.doyen.client;

import dev.doyen.client.sight.Answer;
import dev.doyen.client.sight.Effect;
import dev.doyen.client.sight.LeaderState;
import dev.doyen.client.sight.Sight;
import dev.doyen.client.sight.Turn;
import dev.doyen.client.sight.WatchMachine;
import dev.doyen.client.sight.WatchSettings;
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
 * Listens to an elector until closed, through whatever happens to the stream; {@link WatchMachine} has the rules.
 *
 * <p>Threads: any; nothing here blocks. It has one daemon thread.
 */
public final class LeaderWatch implements AutoCloseable, Flow.Publisher<LeaderState> {

    private static final System.Logger LOG = System.getLogger(LeaderWatch.class.getName());

    /** Kinds of faults that are logged; further ones are not. */
    private static final int MAX_FAULTS = 100;

    /** After a fault that may last, such as memory that is short. */
    private static final long REST_NANOS = 100_000_000;

    /** Bounded by construction: one piece of a stream, its head and its end, one answer, and one call for each caller. */
    private final BlockingQueue<Function<Turn, List<Effect>>> inputs = new LinkedBlockingQueue<>();

    private final CopyOnWriteArraySet<LatestState> subscribers = new CopyOnWriteArraySet<>();
    private final CopyOnWriteArraySet<Listening> listeners = new CopyOnWriteArraySet<>();
    private final WatchMachine machine;
    private final URI url;
    private final Supplier<CompletableFuture<Optional<Answer>>> question;
    private final Effect.Cases hands = new Hands();
    private final Set<String> faults = new HashSet<>();
    private volatile Sight sight;
    private volatile boolean closed;

    LeaderWatch(WatchSettings settings, URI url, Supplier<CompletableFuture<Optional<Answer>>> question) {
        this.machine = new WatchMachine(settings);
        this.sight = machine.sight();
        this.url = url;
        this.question = question;
        var thread = new Thread(this::run, "doyen-client");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * True if this process leads, by what was heard and how old it is at this moment; false once closed. Costs a clock
     * reading.
     */
    public boolean isLeader() {
        return state().isLeader();
    }

    /** What is so now. Once closed nothing is known. */
    public LeaderState state() {
        return closed
                ? Sight.nothing(sight.self(), sight.maxAgeNanos(), sight.whenUnknown())
                        .state(0)
                : sight.state(System.nanoTime());
    }

    /** For how long what is known counts if nothing more is heard: zero if it counts no more, or once closed. */
    public Duration freshFor() {
        return closed ? Duration.ZERO : sight.freshFor(System.nanoTime());
    }

    /**
     * Tells {@code listener} how things stand, and from then on what changes.
     *
     * @return closing it ends the telling
     */
    public Registration listen(LeaderListener listener) {
        var own = new Listening(listener);
        inputs.add(turn -> {
            listeners.add(own);
            tell(own, machine.sight().state(turn.nanos()));
            return List.of();
        });
        return () -> inputs.add(turn -> {
            listeners.remove(own);
            return List.of();
        });
    }

    /**
     * What is so when {@code subscriber} asks for it, and then what changes. One that is slow misses what is over by the
     * time it asks again, never what is so now. Completes when this is closed.
     */
    @Override
    public void subscribe(Flow.Subscriber<? super LeaderState> subscriber) {
        var latest = new LatestState(subscriber, subscribers::remove);
        latest.begin();
        subscribers.add(latest);
        inputs.add(turn -> {
            latest.offer(machine.sight().state(turn.nanos()));
            return List.of();
        });
        if (closed) {
            latest.complete();
        }
    }

    /** Ends the listening; its connection is closed and its subscribers complete a moment later. */
    @Override
    public void close() {
        closed = true;
        inputs.add(turn -> List.of());
    }

    private void run() {
        survives("the start", () -> carryOut(machine.start(turn())));
        while (!closed) {
            if (!survives("a turn", this::takeNext)) {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
        survives("the end", hands::close);
        subscribers.forEach(LatestState::complete);
    }

    private void takeNext() {
        long now = System.nanoTime();
        try {
            Function<Turn, List<Effect>> input = inputs.poll(machine.wakeAtNanos(now) - now, TimeUnit.NANOSECONDS);
            carryOut(input == null ? machine.passed(turn()) : input.apply(turn()));
        } catch (InterruptedException e) {
            // Nobody but this class knows the thread, so nobody means anything by that.
        }
    }

    private void carryOut(List<Effect> effects) {
        sight = machine.sight();
        effects.forEach(each -> survives("an effect", () -> each.accept(hands)));
    }

    /** Nothing that is thrown ends the listening. Each kind of fault is logged once. On the watch's thread. */
    private boolean survives(String what, Runnable part) {
        try {
            part.run();
            return true;
        } catch (Throwable e) {
            try {
                if (faults.size() < MAX_FAULTS && faults.add(what + "\n" + e)) {
                    LOG.log(Level.ERROR, "url=" + url + " " + what + " failed; going on", e);
                }
            } catch (Throwable logFailed) {
                // An appender is foreign code. The next turn matters more.
            }
            return false;
        }
    }

    private void tell(Listening listening, LeaderState state) {
        survives("a listener", () -> listening.tell(state));
    }

    private static Turn turn() {
        return new Turn(System.nanoTime(), ThreadLocalRandom.current().nextDouble());
    }

    /** Each is one of its own: a listener may be given twice and taken off once. */
    private static final class Listening {
        private final LeaderListener listener;

        Listening(LeaderListener listener) {
            this.listener = listener;
        }

        void tell(LeaderState state) {
            listener.changed(state);
        }
    }

    /** A listener that can be taken off. */
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
        public void ask() {
            CompletableFuture<Optional<Answer>> put;
            try {
                put = question.get();
            } catch (Throwable e) {
                // The machine waits for an answer, or for the news that there is none.
                inputs.add(turn -> machine.unanswered(String.valueOf(e), turn));
                throw e;
            }
            CompletableFuture<?> unused = put.whenComplete((answer, fault) -> {
                if (fault == null) {
                    inputs.add(turn -> machine.answered(answer, turn));
                } else {
                    inputs.add(turn -> machine.unanswered(Question.why(fault), turn));
                }
            });
        }

        @Override
        public void tell(LeaderState state) {
            listeners.forEach(each -> LeaderWatch.this.tell(each, state));
            subscribers.forEach(each -> each.offer(state));
        }

        @Override
        public void trouble(String sentence) {
            LOG.log(Level.WARNING, "url=" + url + " not heard: " + sentence + "; trying again");
        }

        @Override
        public void opened(EventStream from, int status, String contentType) {
            inputs.add(turn -> from == stream ? machine.opened(status, contentType, turn) : List.of());
        }

        @Override
        public void bytes(EventStream from, byte[] bytes) {
            inputs.add(turn -> {
                if (from != stream) {
                    return List.of();
                }
                List<Effect> effects = machine.bytes(bytes, turn);
                from.more();
                return effects;
            });
        }

        @Override
        public void ended(EventStream from, String why) {
            inputs.add(turn -> from == stream ? machine.ended(why, turn) : List.of());
        }
    }
}
