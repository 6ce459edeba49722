package dev.doyen.store.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which watchers are called for a change, and which are not. */
class LeaseWatchersTest {

    private final LeaseWatchers watchers = new LeaseWatchers(new FaultLog(System.getLogger("dev.doyen.test")));
    private final List<String> told = new ArrayList<>();

    @Test
    void watchers_of_the_key_are_told_in_their_order_and_others_are_not() {
        watchers.add("a", () -> told.add("first"));
        watchers.add("a", () -> told.add("second"));
        watchers.add("b", () -> told.add("other"));
        watchers.announce("a");
        watchers.announce("c");

        assertThat(told).containsExactly("first", "second");
    }

    @Test
    void all_are_told_if_each_lease_may_have_changed() {
        watchers.add("a", () -> told.add("a"));
        watchers.add("b", () -> told.add("b"));
        watchers.announceAll();

        assertThat(told).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void one_that_throws_keeps_nobody_from_the_announcement() { // L8
        watchers.add("a", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        watchers.add("a", () -> told.add("second"));
        watchers.announce("a");

        assertThat(told).containsExactly("second");
    }

    @Test
    void a_watcher_that_another_one_closes_during_the_announcement_is_not_called() {
        List<LeaseStore.Watch> later = new ArrayList<>();
        watchers.add("a", () -> later.forEach(LeaseStore.Watch::close));
        later.add(watchers.add("a", () -> told.add("closed")));
        watchers.add("a", () -> told.add("open"));
        watchers.announce("a");

        assertThat(told).containsExactly("open");
    }

    @Test
    void a_watch_that_is_closed_twice_leaves_the_other_watch_of_the_same_watcher() {
        Runnable twice = () -> told.add("twice");
        LeaseStore.Watch first = watchers.add("a", twice);
        watchers.add("a", twice);
        first.close();
        first.close();
        watchers.announce("a");

        assertThat(told).containsExactly("twice");
    }

    @Test
    void after_the_end_of_a_watch_only_the_others_are_told_and_after_the_last_one_the_key_is_forgotten() {
        Runnable twice = () -> told.add("twice");
        LeaseStore.Watch first = watchers.add("a", twice);
        LeaseStore.Watch second = watchers.add("a", twice);
        first.close();
        watchers.announce("a");
        assertThat(told).containsExactly("twice");
        assertThat(watchers.isWatched("a")).isTrue();

        second.close();
        watchers.announce("a");
        assertThat(told).containsExactly("twice");
        assertThat(watchers.isWatched("a")).isFalse();
    }
}
