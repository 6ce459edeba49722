package dev.doyen.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.Leadership;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests rule L6: the steps at the end of a term run in the same order even if the term never began. */
class TermWorkTest {

    private final HeldCallbacks threads = new HeldCallbacks();
    private final ListenerRegistry<Leadership> listeners = new ListenerRegistry<>(threads);
    private final TermWork<Leadership> work = new TermWork<>(
            "orders", "n1", threads, new EligibilityTracker(eligibility -> {}, threads, Optional.empty()));
    private final List<String> order = new ArrayList<>();

    @Test
    void a_term_that_never_began_fails_its_saves_then_notifies_listeners_then_stops() {
        listeners.listen(
                new ElectionListener<Leadership>() {
                    @Override
                    public void lost(LossCause cause) {
                        order.add("lost " + cause);
                    }
                },
                listener -> {});
        work.end(
                listeners,
                new ElectionEvent.Lost(7, LossCause.RESIGNED),
                term -> order.add("stopped " + term),
                () -> order.add("saves fail"));
        assertThat(order).containsExactly("saves fail");
        threads.runCallbacks();
        assertThat(order).containsExactly("saves fail", "lost RESIGNED", "stopped 7");
    }
}
