package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseWatchesTest {

    private final FailingExecutor announcer = new FailingExecutor();
    private final LeaseWatches watches = new LeaseWatches(announcer);
    private final List<String> announced = new ArrayList<>();

    @Test
    void after_the_executor_has_failed_the_next_change_announces_all_changes() {
        watches.watch("a", () -> announced.add("a"));
        watches.watch("b", () -> announced.add("b"));
        announcer.failures = 1;
        watches.changed("a");
        assertThat(announced).isEmpty();
        watches.changed("b");
        assertThat(announced).containsExactly("a", "b");
        watches.changed("a");
        assertThat(announced).containsExactly("a", "b", "a");
    }
}
