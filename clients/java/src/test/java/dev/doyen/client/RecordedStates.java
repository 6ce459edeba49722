package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.client.state.LeaderState;
import dev.doyen.client.state.Role;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Records the states that a watch reports, in order. */
final class RecordedStates implements LeaderListener {

    private final BlockingQueue<LeaderState> states = new LinkedBlockingQueue<>();
    private final Deque<LeaderState> passed = new ArrayDeque<>();

    @Override
    public void changed(LeaderState state) {
        states.add(state);
    }

    /** Waits for a matching state and returns it. The test fails if no state arrives within 60 s. */
    LeaderState until(Predicate<LeaderState> condition) throws InterruptedException {
        while (true) {
            LeaderState next = states.poll(60, TimeUnit.SECONDS);
            assertThat(next)
                    .as("a matching state arrives; earlier states: " + passed)
                    .isNotNull();
            passed.add(next);
            if (condition.test(next)) {
                return next;
            }
        }
    }

    LeaderState until(Role role) throws InterruptedException {
        return until(each -> each.role() == role);
    }

    List<LeaderState> passed() {
        return new ArrayList<>(passed);
    }
}
