package dev.doyen;

import dev.doyen.driver.CallbackQueue;
import dev.doyen.driver.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The listeners of one candidate or observer, and the queue of their callbacks (rule L9). */
final class ListenerRegistry {

    private final Threads threads;
    private final CallbackQueue callbacks;

    /** Immutable; replaced on the loop thread. */
    private List<Listening> listening = List.of();

    ListenerRegistry(Threads threads) {
        this.threads = threads;
        this.callbacks = new CallbackQueue(threads);
    }

    /**
     * Adds a listener.
     *
     * @param presentState calls the listener for the present state, on the loop thread
     */
    Observer.Registration listen(ElectionListener listener, Consumer<ElectionListener> presentState) {
        var added = new Listening(listener);
        // On the loop thread, so that no event falls between the present state and the first event.
        threads.loop(() -> {
            var more = new ArrayList<>(listening);
            more.add(added);
            listening = List.copyOf(more);
            presentState.accept(listener);
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

    /** Calls all listeners, after the callbacks that wait already; on the loop thread. */
    void notifyLater(Consumer<ElectionListener> call) {
        if (!listening.isEmpty()) {
            callbacks.offer(telling(call));
        }
    }

    /** Like {@link #notifyLater}, but replaces the last waiting callback if that has the same kind. */
    void notifyLatest(String kind, Consumer<ElectionListener> call) {
        if (!listening.isEmpty()) {
            callbacks.offerLatest(kind, telling(call));
        }
    }

    /** Calls all listeners and then runs {@code next}. Without listeners {@code next} runs at once. */
    void notifyThen(Consumer<ElectionListener> call, Runnable next) {
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

    /** Runs this callback after those that wait already. */
    void offer(Runnable callback) {
        callbacks.offer(callback);
    }

    /** True inside a callback. */
    boolean isCurrentThread() {
        return callbacks.isCurrentThread();
    }

    /**
     * Returns a call of the present listeners.
     *
     * <p>A listener that is added later receives the state after this event.
     */
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

    /** One registration of a listener. */
    private static final class Listening {
        private final ElectionListener listener;
        private volatile boolean gone;

        private Listening(ElectionListener listener) {
            this.listener = listener;
        }
    }
}
