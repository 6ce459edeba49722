package dev.doyen.store.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which watchers are called for a change. */
class LeaseWatchersTest {

    private final LeaseWatchers watchers = new LeaseWatchers(new FaultLog(System.getLogger("dev.doyen.test")));
    private final List<String> notified = new ArrayList<>();

    @Test
    void watchers_of_the_key_are_notified_in_order_and_others_are_not() {
        watchers.add("a", () -> notified.add("first"));
        watchers.add("a", () -> notified.add("second"));
        watchers.add("b", () -> notified.add("other"));
        watchers.announce("a");
        watchers.announce("c");

        assertThat(notified).containsExactly("first", "second");
    }

    @Test
    void all_watchers_are_notified_if_any_lease_may_have_changed() {
        watchers.add("a", () -> notified.add("a"));
        watchers.add("b", () -> notified.add("b"));
        watchers.announceAll();

        assertThat(notified).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void a_watcher_that_throws_does_not_affect_other_watchers() { // L8
        watchers.add("a", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        watchers.add("a", () -> notified.add("second"));
        watchers.announce("a");

        assertThat(notified).containsExactly("second");
    }

    @Test
    void a_watcher_that_another_one_closes_during_the_announcement_is_not_called() {
        List<LeaseStore.Watch> later = new ArrayList<>();
        watchers.add("a", () -> later.forEach(LeaseStore.Watch::close));
        later.add(watchers.add("a", () -> notified.add("closed")));
        watchers.add("a", () -> notified.add("open"));
        watchers.announce("a");

        assertThat(notified).containsExactly("open");
    }

    @Test
    void a_second_close_of_a_watch_does_not_close_another_watch() {
        Runnable twice = () -> notified.add("twice");
        LeaseStore.Watch first = watchers.add("a", twice);
        watchers.add("a", twice);
        first.close();
        first.close();
        watchers.announce("a");

        assertThat(notified).containsExactly("twice");
    }

    @Test
    void a_closed_watch_is_not_notified_and_the_last_close_removes_the_key() {
        Runnable twice = () -> notified.add("twice");
        LeaseStore.Watch first = watchers.add("a", twice);
        LeaseStore.Watch second = watchers.add("a", twice);
        first.close();
        watchers.announce("a");
        assertThat(notified).containsExactly("twice");
        assertThat(watchers.isWatched("a")).isTrue();

        second.close();
        watchers.announce("a");
        assertThat(notified).containsExactly("twice");
        assertThat(watchers.isWatched("a")).isFalse();
    }
}
