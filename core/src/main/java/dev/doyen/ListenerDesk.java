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

    /** Replaced as a whole, on the loop thread; heard of on threads for callbacks. */
    private volatile List<ElectionListener> listeners = List.of();

    ListenerDesk(Threads threads) {
        this.threads = threads;
        this.callbacks = new CallbackQueue(threads);
    }

    /** @param howThingsStand tells the listener that first, on the loop thread */
    Observer.Registration listen(ElectionListener listener, Consumer<ElectionListener> howThingsStand) {
        // On the loop thread, so that how things stand and what happens next join without a gap.
        threads.loop(() -> {
            howThingsStand.accept(listener);
            var more = new ArrayList<>(listeners);
            more.add(listener);
            listeners = List.copyOf(more);
        });
        return () -> threads.loop(() -> {
            var fewer = new ArrayList<>(listeners);
            fewer.remove(listener);
            listeners = List.copyOf(fewer);
        });
    }

    /** Tells everybody who listens, each after what was told before; on the loop thread. */
    void tellAllLater(Consumer<ElectionListener> call) {
        if (!listeners.isEmpty()) {
            callbacks.offer(() -> tellAll(call));
        }
    }

    /** The same, in place of news of the same kind that nobody has heard yet. */
    void tellAllLatest(String kind, Consumer<ElectionListener> call) {
        if (!listeners.isEmpty()) {
            callbacks.offerLatest(kind, () -> tellAll(call));
        }
    }

    /** Tells everybody who listens, and then runs {@code next}: at once, if nobody does. */
    void tellAllThen(Consumer<ElectionListener> call, Runnable next) {
        if (listeners.isEmpty()) {
            next.run();
        } else {
            callbacks.offer(() -> {
                tellAll(call);
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

    private void tellAll(Consumer<ElectionListener> call) {
        for (ElectionListener listener : listeners) {
            CallbackQueue.guarded(() -> call.accept(listener));
        }
    }
}
