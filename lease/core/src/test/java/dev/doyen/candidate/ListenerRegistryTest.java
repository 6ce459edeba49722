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
 * Rule L9: every listener receives {@code elected} and {@code lost} in turn.
 *
 * <p>This also holds for listeners that are added or removed while events are under way.
 */
class ListenerRegistryTest {

    private final List<String> heard = new ArrayList<>();
    private final HeldCallbacks threads = new HeldCallbacks();
    private final ListenerRegistry<Leadership> registry = new ListenerRegistry<>(threads);

    @Test
    void who_begins_to_listen_while_a_loss_is_under_way_hears_nothing_of_it() {
        registry.listen(new Noting("first"), listener -> {});
        registry.notifyThen(listener -> listener.lost(LossCause.EXPIRED), () -> heard.add("told"));
        registry.listen(new Noting("second"), listener -> {});
        threads.runCallbacks();

        assertThat(heard).containsExactly("first lost", "told");
    }

    @Test
    void who_begins_to_listen_while_news_is_under_way_hears_it_once() {
        registry.listen(new Noting("first"), listener -> {});
        registry.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        registry.listen(new Noting("second"), listener -> registry.offer(() -> listener.lost(LossCause.EXPIRED)));
        threads.runCallbacks();

        assertThat(heard).containsExactly("first lost", "second lost");
    }

    @Test
    void who_has_ended_to_listen_hears_nothing_of_what_was_under_way() {
        Observer.Registration first = registry.listen(new Noting("first"), listener -> {});
        registry.listen(new Noting("second"), listener -> {});
        registry.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        first.close();
        threads.runCallbacks();

        assertThat(heard).containsExactly("second lost");
    }

    @Test
    void who_could_not_be_told_how_things_stand_hears_what_happens_next() { // L8
        assertThatThrownBy(() -> registry.listen(new Noting("first"), listener -> {
                    throw new OutOfMemoryError("on purpose");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        registry.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        threads.runCallbacks();

        assertThat(heard).containsExactly("first lost");
    }

    @Test
    void only_the_latest_of_the_news_of_one_kind_is_told() {
        registry.listen(new Noting("first"), listener -> {});
        registry.notifyLatest("kind", listener -> heard.add("old"));
        registry.notifyLatest("kind", listener -> heard.add("new"));
        threads.runCallbacks();

        assertThat(heard).containsExactly("new");
    }

    @Test
    void without_a_listener_no_callback_waits_and_the_next_task_runs_at_once() {
        registry.notifyLater(listener -> heard.add("told"));
        registry.notifyLatest("kind", listener -> heard.add("told"));
        registry.notifyThen(listener -> heard.add("told"), () -> heard.add("next"));

        assertThat(heard).containsExactly("next");
        assertThat(threads.isWaiting()).isFalse();
    }

    @Test
    void only_a_callback_runs_on_the_thread_of_callbacks() {
        registry.offer(() -> heard.add("inside " + registry.isCurrentThread()));
        threads.runCallbacks();

        assertThat(heard).containsExactly("inside true");
        assertThat(registry.isCurrentThread()).isFalse();
    }

    private final class Noting implements ElectionListener<Leadership> {
        private final String name;

        private Noting(String name) {
            this.name = name;
        }

        @Override
        public void lost(LossCause cause) {
            heard.add(name + " lost");
        }
    }
}
