package dev.doyen.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.Leadership;
import dev.doyen.election.Observer;
import dev.doyen.event.LossCause;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests which events a listener receives, and when (rule L9).
 *
 * <p>Several tests add or remove a listener while the queue contains events.
 */
class ListenerRegistryTest {

    private final List<String> received = new ArrayList<>();
    private final HeldCallbacks threads = new HeldCallbacks();
    private final ListenerRegistry<Leadership> registry = new ListenerRegistry<>(threads);

    @Test
    void a_listener_added_during_a_loss_is_not_notified_of_it() {
        registry.listen(new Noting("first"), calls -> {});
        registry.notifyThen(listener -> listener.lost(LossCause.EXPIRED), () -> received.add("told"));
        registry.listen(new Noting("second"), calls -> {});
        threads.runCallbacks();

        assertThat(received).containsExactly("first lost", "told");
    }

    @Test
    void a_listener_added_during_an_event_is_notified_once() {
        registry.listen(new Noting("first"), calls -> {});
        registry.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        registry.listen(new Noting("second"), calls -> calls.offer(listener -> listener.lost(LossCause.EXPIRED)));
        threads.runCallbacks();

        assertThat(received).containsExactly("first lost", "second lost");
    }

    @Test
    void a_removed_listener_gets_no_pending_event() {
        Observer.Registration first = registry.listen(new Noting("first"), calls -> {});
        registry.listen(new Noting("second"), calls -> {});
        registry.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        first.close();
        threads.runCallbacks();

        assertThat(received).containsExactly("second lost");
    }

    @Test
    void a_removed_listener_does_not_get_the_present_state() {
        registry.listen(new Noting("first"), calls -> calls.offer(listener -> listener.lost(LossCause.EXPIRED)))
                .close();
        threads.runCallbacks();

        assertThat(received).isEmpty();
    }

    @Test
    void the_next_task_waits_for_a_callback_of_a_removed_listener() { // L6
        Observer.Registration first = registry.listen(new Noting("first"), calls -> {});
        registry.notifyLater(listener -> {
            first.close();
            registry.notifyThen(other -> received.add("told"), () -> received.add("next"));
            received.add("returned");
        });
        threads.runCallbacks();

        assertThat(received).containsExactly("returned", "next");
    }

    @Test
    void a_listener_whose_first_call_failed_gets_the_next_event() { // L8
        assertThatThrownBy(() -> registry.listen(new Noting("first"), calls -> {
                    throw new OutOfMemoryError("on purpose");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        registry.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        threads.runCallbacks();

        assertThat(received).containsExactly("first lost");
    }

    @Test
    void only_the_latest_event_of_a_kind_is_delivered() {
        registry.listen(new Noting("first"), calls -> {});
        registry.notifyLatest("kind", listener -> received.add("old"));
        registry.notifyLatest("kind", listener -> received.add("new"));
        threads.runCallbacks();

        assertThat(received).containsExactly("new");
    }

    @Test
    void without_a_listener_no_callback_is_queued_and_the_next_task_runs_at_once() {
        registry.notifyLater(listener -> received.add("told"));
        registry.notifyLatest("kind", listener -> received.add("told"));
        registry.notifyThen(listener -> received.add("told"), () -> received.add("next"));

        assertThat(received).containsExactly("next");
        assertThat(threads.isWaiting()).isFalse();
    }

    @Test
    void only_callbacks_run_on_the_callback_thread() {
        registry.listen(new Noting("first"), calls -> {});
        registry.notifyLater(listener -> received.add("inside " + registry.waitsForCaller()));
        threads.runCallbacks();

        assertThat(received).containsExactly("inside true");
        assertThat(registry.waitsForCaller()).isFalse();
    }

    private final class Noting implements ElectionListener<Leadership> {
        private final String name;

        private Noting(String name) {
            this.name = name;
        }

        @Override
        public void lost(LossCause cause) {
            received.add(name + " lost");
        }
    }
}
