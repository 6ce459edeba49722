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

    /** Immutable; replaced on the loop thread. */
    private List<Listening<L>> listening = List.of();

    public ListenerRegistry(Threads threads) {
        this.threads = threads;
        this.callbacks = new CallbackQueue(threads);
    }

    /** Adds a listener that receives only the changes of the leader. */
    public Observer.Registration listen(LeaderListener listener, Consumer<ElectionListener<? super L>> presentState) {
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
     * Adds a listener.
     *
     * @param presentState calls the listener for the present state, on the loop thread
     */
    public Observer.Registration listen(
            ElectionListener<? super L> listener, Consumer<ElectionListener<? super L>> presentState) {
        var added = new Listening<L>(listener);
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

    /** Reports another leader, or none, to all listeners; on the loop thread. */
    public void leaderChanged(ElectionEvent.LeaderChanged event) {
        notifyLatest("leader", l -> l.leaderChanged(event.leader()));
    }

    /** Calls all listeners, after the callbacks that wait already; on the loop thread. */
    public void notifyLater(Consumer<ElectionListener<? super L>> call) {
        if (!listening.isEmpty()) {
            callbacks.offer(telling(call));
        }
    }

    /** Like {@link #notifyLater}, but replaces the last waiting callback if that has the same kind. */
    public void notifyLatest(String kind, Consumer<ElectionListener<? super L>> call) {
        if (!listening.isEmpty()) {
            callbacks.offerLatest(kind, telling(call));
        }
    }

    /** Calls all listeners and then runs {@code next}. Without listeners {@code next} runs at once. */
    public void notifyThen(Consumer<ElectionListener<? super L>> call, Runnable next) {
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
    public void offer(Runnable callback) {
        callbacks.offer(callback);
    }

    /** True inside a callback. */
    public boolean isCurrentThread() {
        return callbacks.isCurrentThread();
    }

    /**
     * Returns a call of the present listeners.
     *
     * <p>A listener that is added later receives the state after this event.
     */
    private Runnable telling(Consumer<ElectionListener<? super L>> call) {
        List<Listening<L>> now = listening;
        return () -> {
            for (Listening<L> each : now) {
                if (!each.gone) {
                    CallbackQueue.guarded(() -> call.accept(each.listener));
                }
            }
        };
    }

    /** One registration of a listener. */
    private static final class Listening<L extends Leadership> {
        private final ElectionListener<? super L> listener;
        private volatile boolean gone;

        private Listening(ElectionListener<? super L> listener) {
            this.listener = listener;
        }
    }
}
