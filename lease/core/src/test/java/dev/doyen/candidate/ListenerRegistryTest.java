package dev.doyen.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
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
    private final ListenerRegistry desk = new ListenerRegistry(threads);

    @Test
    void who_begins_to_listen_while_a_loss_is_under_way_hears_nothing_of_it() {
        desk.listen(new Noting("first"), listener -> {});
        desk.notifyThen(listener -> listener.lost(LossCause.EXPIRED), () -> heard.add("told"));
        desk.listen(new Noting("second"), listener -> {});
        threads.runCallbacks();

        assertThat(heard).containsExactly("first lost", "told");
    }

    @Test
    void who_begins_to_listen_while_news_is_under_way_hears_it_once() {
        desk.listen(new Noting("first"), listener -> {});
        desk.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        desk.listen(new Noting("second"), listener -> desk.offer(() -> listener.lost(LossCause.EXPIRED)));
        threads.runCallbacks();

        assertThat(heard).containsExactly("first lost", "second lost");
    }

    @Test
    void who_has_ended_to_listen_hears_nothing_of_what_was_under_way() {
        Observer.Registration first = desk.listen(new Noting("first"), listener -> {});
        desk.listen(new Noting("second"), listener -> {});
        desk.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        first.close();
        threads.runCallbacks();

        assertThat(heard).containsExactly("second lost");
    }

    @Test
    void who_could_not_be_told_how_things_stand_hears_what_happens_next() { // L8
        assertThatThrownBy(() -> desk.listen(new Noting("first"), listener -> {
                    throw new OutOfMemoryError("on purpose");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        desk.notifyLater(listener -> listener.lost(LossCause.EXPIRED));
        threads.runCallbacks();

        assertThat(heard).containsExactly("first lost");
    }

    @Test
    void only_the_latest_of_the_news_of_one_kind_is_told() {
        desk.listen(new Noting("first"), listener -> {});
        desk.notifyLatest("kind", listener -> heard.add("old"));
        desk.notifyLatest("kind", listener -> heard.add("new"));
        threads.runCallbacks();

        assertThat(heard).containsExactly("new");
    }

    @Test
    void without_a_listener_no_callback_waits_and_the_next_task_runs_at_once() {
        desk.notifyLater(listener -> heard.add("told"));
        desk.notifyLatest("kind", listener -> heard.add("told"));
        desk.notifyThen(listener -> heard.add("told"), () -> heard.add("next"));

        assertThat(heard).containsExactly("next");
        assertThat(threads.isWaiting()).isFalse();
    }

    @Test
    void only_a_callback_runs_on_the_thread_of_callbacks() {
        desk.offer(() -> heard.add("inside " + desk.isCurrentThread()));
        threads.runCallbacks();

        assertThat(heard).containsExactly("inside true");
        assertThat(desk.isCurrentThread()).isFalse();
    }

    private final class Noting implements ElectionListener<LeaseLeadership> {
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
