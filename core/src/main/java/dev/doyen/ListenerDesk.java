package dev.doyen;

import dev.doyen.driver.CallbackQueue;
import dev.doyen.driver.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The listeners of one candidate or observer, and the queue of their callbacks (rule L9). */
final class ListenerDesk {

    private final Threads threads;
    private final CallbackQueue callbacks;

    /** Replaced as a whole; on the loop thread. */
    private List<Listening> listening = List.of();

    ListenerDesk(Threads threads) {
        this.threads = threads;
        this.callbacks = new CallbackQueue(threads);
    }

    /** @param howThingsStand tells the listener that first, on the loop thread */
    Observer.Registration listen(ElectionListener listener, Consumer<ElectionListener> howThingsStand) {
        var added = new Listening(listener);
        // On the loop thread, so that how things stand and what happens next join without a gap.
        threads.loop(() -> {
            var more = new ArrayList<>(listening);
            more.add(added);
            listening = List.copyOf(more);
            howThingsStand.accept(listener);
        });
        return () -> {
            added.gone = true;
            threads.loop(() -> {
                var fewer = new ArrayList<>(listening);
                fewer.remove(added);
                listening = List.copyOf(fewer);
            });
        };
    }

    /** Tells everybody who listens, each after what was told before; on the loop thread. */
    void tellAllLater(Consumer<ElectionListener> call) {
        if (!listening.isEmpty()) {
            callbacks.offer(telling(call));
        }
    }

    /** The same, in place of news of the same kind that nobody has heard yet. */
    void tellAllLatest(String kind, Consumer<ElectionListener> call) {
        if (!listening.isEmpty()) {
            callbacks.offerLatest(kind, telling(call));
        }
    }

    /** Tells everybody who listens, and then runs {@code next}: at once, if nobody does. */
    void tellAllThen(Consumer<ElectionListener> call, Runnable next) {
        if (listening.isEmpty()) {
            next.run();
        } else {
            Runnable telling = telling(call);
            callbacks.offer(() -> {
                telling.run();
                next.run();
            });
        }
    }

    /** Runs this in its turn. */
    void offer(Runnable callback) {
        callbacks.offer(callback);
    }

    /** True inside a callback. */
    boolean isCurrentThread() {
        return callbacks.isCurrentThread();
    }

    /** Tells those who listen now: who begins to listen before it runs is told how things stand, which has this in it. */
    private Runnable telling(Consumer<ElectionListener> call) {
        List<Listening> now = listening;
        return () -> {
            for (Listening each : now) {
                if (!each.gone) {
                    CallbackQueue.guarded(() -> call.accept(each.listener));
                }
            }
        };
    }

    /** A listener, from one registration to its end. */
    private static final class Listening {
        private final ElectionListener listener;
        private volatile boolean gone;

        private Listening(ElectionListener listener) {
            this.listener = listener;
        }
    }
}
