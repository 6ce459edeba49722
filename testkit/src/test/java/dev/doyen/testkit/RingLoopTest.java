package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.LoopListener;
import dev.doyen.driver.MembershipLoop;
import dev.doyen.driver.RingContest;
import dev.doyen.event.ElectionEvent;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stop before passing on: what a loop does while the work of a term that is over goes on. Lead is 800 ms. */
class RingLoopTest {

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Worker a = new Worker("a");

    /** Stops its work only when it is told to, or at once if it is quick. */
    private final class Worker implements LoopListener {
        final List<String> told = new ArrayList<>();
        final Membership membership;
        final RingContest ring;
        final MembershipLoop loop;
        boolean quick;
        private long working;

        Worker(String id) {
            membership = cluster.join(id);
            var settings = new RingSettings(
                    RingAlgorithm.CHANG_ROBERTS, RingTiming.ofFollow(Duration.ofSeconds(1)), 100, true);
            ring = new RingContest(settings, membership.me());
            loop = new MembershipLoop(threads, "orders", membership, ring, this);
            loop.start();
            loop.stand();
        }

        @Override
        public void told(ElectionEvent event) {
            if (event instanceof ElectionEvent.Elected elected) {
                told.add("elected " + elected.term());
            } else if (event instanceof ElectionEvent.Lost lost) {
                told.add("lost " + lost.term() + " " + lost.cause());
                working = lost.term();
                if (quick) {
                    stop();
                }
            }
        }

        void stop() {
            loop.workStopped(working);
            threads.settle();
        }

        boolean leads() {
            return loop.leading().isPresent();
        }
    }

    @Test
    void nothing_is_passed_on_before_the_work_has_stopped() {
        Worker b = leadingWithAnother();
        long before = cluster.sent();
        a.loop.resign(Duration.ofSeconds(60));
        threads.settle();
        pass(300);
        assertThat(a.leads()).isFalse();
        assertThat(cluster.sent()).as("messages while the work goes on").isEqualTo(before);
        assertThat(b.leads()).isFalse();
        a.stop();
        pass(10);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void work_that_does_not_stop_holds_nobody_for_longer_than_it_could_have_led() {
        Worker b = leadingWithAnother();
        a.loop.resign(Duration.ofSeconds(60));
        pass(800);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void no_term_begins_before_the_work_of_the_last_one_has_stopped() {
        pass(10);
        threads.standStill(Duration.ofSeconds(10));
        pass(100);
        assertThat(a.told).containsExactly("elected 1", "lost 1 EXPIRED");
        assertThat(a.leads()).isFalse();
        a.stop();
        assertThat(a.told).endsWith("elected 2");
        assertThat(a.leads()).isTrue();
    }

    @Test
    void whose_work_does_not_stop_does_not_keep_others_from_leading() {
        pass(10);
        threads.standStill(Duration.ofSeconds(10));
        pass(900);
        var b = new Worker("b");
        pass(3_000);
        assertThat(b.leads()).isTrue();
        a.stop();
        pass(3_000);
        assertThat(b.leads()).isTrue();
        assertThat(a.told).containsExactly("elected 1", "lost 1 EXPIRED");
    }

    @Test
    void what_was_sent_and_dropped_is_counted() {
        leadingWithAnother();
        pass(1_000);
        assertThat(a.ring.tally().lapsSent()).isPositive();
        assertThat(a.ring.tally().contestSent()).isPositive();
        assertThat(a.loop.tally().notSent()).isZero();
        cluster.join("c").send(a.membership.me(), "ring/orders", new byte[] {7});
        pass(10);
        assertThat(a.loop.tally().notRead()).isZero();
        pass(100);
        a.membership.send(a.membership.me(), "ring/orders", new byte[] {7});
        pass(10);
        assertThat(a.loop.tally().notRead()).isEqualTo(1);
    }

    private Worker leadingWithAnother() {
        pass(10);
        assertThat(a.leads()).isTrue();
        var b = new Worker("b");
        b.quick = true;
        pass(1_000);
        assertThat(a.leads()).isTrue();
        return b;
    }

    private void pass(long millis) {
        threads.pass(Duration.ofMillis(millis));
    }
}
