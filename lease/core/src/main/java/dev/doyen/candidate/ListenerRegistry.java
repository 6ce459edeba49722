package dev.doyen.candidate;

import dev.doyen.driver.CallbackQueue;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.LeaderListener;
import dev.doyen.election.Leadership;
import dev.doyen.election.Observer;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The listeners of one candidate or observer, and the queue of their callbacks (rule L9). */
public final class ListenerRegistry<L extends Leadership> {

    private final Threads threads;
    private final CallbackQueue callbacks;

    /** The immutable list of the listeners. The loop thread replaces it. */
    private List<Listening<L>> listening = List.of();

    /** Queues the callbacks that report the present state to a new listener. */
    @FunctionalInterface
    public interface FirstCalls<L extends Leadership> {

        /** Queues a call of the listener. If the listener is removed before the call, the queue skips the call. */
        void offer(Consumer<ElectionListener<? super L>> call);
    }

    public ListenerRegistry(Threads threads) {
        this.threads = threads;
        this.callbacks = new CallbackQueue(threads);
    }

    /** Adds a listener that receives only the present leader and later changes of the leader. */
    public Observer.Registration listen(LeaderListener listener, Consumer<FirstCalls<L>> presentState) {
        return listen(
                new ElectionListener<L>() {
                    @Override
                    public void leaderChanged(Optional<Leader> leader) {
                        listener.leaderChanged(leader);
                    }
                },
                presentState);
    }

    /**
     * Adds a listener, which first receives the present state.
     *
     * @param presentState the function that queues the first calls of the listener, which report the present state; it
     *     runs on the loop thread
     */
    public Observer.Registration listen(ElectionListener<? super L> listener, Consumer<FirstCalls<L>> presentState) {
        var added = new Listening<L>(listener);
        // The loop thread adds the listener and reports the present state, so no event can occur between these two
        // steps.
        threads.loop(() -> {
            var more = new ArrayList<>(listening);
            more.add(added);
            listening = List.copyOf(more);
            presentState.accept(call -> callbacks.offer(() -> added.call(call)));
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

    /** Reports a change of the leader to all listeners. Called on the loop thread. */
    public void leaderChanged(ElectionEvent.LeaderChanged event) {
        notifyLatest("leader", l -> l.leaderChanged(event.leader()));
    }

    /** Queues a call of all listeners behind the waiting callbacks. Called on the loop thread. */
    public void notifyLater(Consumer<ElectionListener<? super L>> call) {
        if (!listening.isEmpty()) {
            callbacks.offer(notification(call));
        }
    }

    /** Queues a call of all listeners. If the last waiting callback has the same kind, the call replaces it. */
    public void notifyLatest(String kind, Consumer<ElectionListener<? super L>> call) {
        if (!listening.isEmpty()) {
            callbacks.offerLatest(kind, notification(call));
        }
    }

    /**
     * Queues a call of all listeners, followed by {@code next}. If there are no listeners and no waiting or running
     * callbacks, {@code next} runs at once.
     *
     * <p>The callbacks of removed listeners can still run. They are work of the term too, so {@code next} follows them
     * (rule L6).
     */
    public void notifyThen(Consumer<ElectionListener<? super L>> call, Runnable next) {
        if (listening.isEmpty() && callbacks.isIdle()) {
            next.run();
        } else {
            Runnable notification = notification(call);
            callbacks.offer(() -> {
                notification.run();
                next.run();
            });
        }
    }

    /** Returns {@link CallbackQueue#waitsForCaller} for the callbacks of this registry. */
    public boolean waitsForCaller() {
        return callbacks.waitsForCaller();
    }

    /**
     * Returns a callback that calls the present listeners.
     *
     * <p>The callback does not call a listener that is added later. Such a listener first receives the present state,
     * which already contains this event.
     */
    private Runnable notification(Consumer<ElectionListener<? super L>> call) {
        List<Listening<L>> now = listening;
        return () -> {
            for (Listening<L> each : now) {
                CallbackQueue.guarded(() -> each.call(call));
            }
        };
    }

    /** The registration of one listener. */
    private static final class Listening<L extends Leadership> {
        private final ElectionListener<? super L> listener;
        private volatile boolean gone;

        private Listening(ElectionListener<? super L> listener) {
            this.listener = listener;
        }

        /** Calls the listener, unless it has been removed. */
        private void call(Consumer<ElectionListener<? super L>> call) {
            if (!gone) {
                call.accept(listener);
            }
        }
    }
}
