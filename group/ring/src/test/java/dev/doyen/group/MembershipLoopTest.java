package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.LoopListener;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.group.driver.MembershipContest;
import dev.doyen.group.driver.MembershipLoop;
import dev.doyen.group.driver.RingContest;
import dev.doyen.group.driver.RingTally;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.ring.RingSettings;
import dev.doyen.testkit.LogLines;
import dev.doyen.testkit.ManualThreads;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests the loop with the ring machine. Most tests are about the end of a leader's work, and about faults.
 *
 * <p>After a term has ended, the loop sends no message until the work has stopped or the leader lease of that term has
 * expired. A leader leads for 800 ms without another confirmation.
 *
 * <p>This class is longer than most classes, because all tests use the same faults.
 */
class MembershipLoopTest {

    private static final RingSettings SETTINGS = new RingSettings(
            RingAlgorithm.CHANG_ROBERTS, RingTiming.ofElectionTimeout(Duration.ofSeconds(1)), 100, true);

    private static final String TOPIC = "ring/orders";

    final ManualThreads threads = new ManualThreads();
    final FakeCluster cluster = new FakeCluster(threads);
    /** The names of the machine's methods and of the listener's events that fail at their next call. */
    private final Set<String> failOnce = new HashSet<>();

    final Worker a = new Worker("a");

    /** True if every membership throws when it sends a message. */
    private boolean failing;

    /**
     * A listener whose work stops when the test calls {@link #stop}. If {@code quick} is set, the work stops at once.
     */
    final class Worker implements LoopListener {
        final List<String> events = new ArrayList<>();
        final Membership membership;
        final RingContest contest;
        final MembershipLoop loop;
        boolean quick;
        private long working;

        Worker(String id) {
            this(id, true);
        }

        Worker(String id, boolean campaigns) {
            membership = cluster.join(id);
            contest = new RingContest(SETTINGS, membership.me(), new RingTally());
            loop = new MembershipLoop(threads, "orders", new Faulty(membership), failing(contest), this);
            loop.start();
            if (campaigns) {
                loop.campaign();
            }
        }

        @Override
        public void onEvent(ElectionEvent event) {
            failOnce(event.getClass().getSimpleName());
            if (event instanceof ElectionEvent.Elected elected) {
                events.add("elected " + elected.term());
            } else if (event instanceof ElectionEvent.Lost lost) {
                events.add("lost " + lost.term() + " " + lost.cause());
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

    private void failOnce(String call) {
        if (failOnce.remove(call)) {
            throw new OutOfMemoryError("on purpose");
        }
    }

    private MembershipContest failing(MembershipContest sound) {
        return (MembershipContest) Proxy.newProxyInstance(
                MembershipContest.class.getClassLoader(),
                new Class<?>[] {MembershipContest.class},
                (proxy, method, arguments) -> {
                    failOnce(method.getName());
                    try {
                        return method.invoke(sound, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A membership whose method {@code send} throws while {@code failing} is set. */
    private final class Faulty implements Membership {

        private final Membership sound;

        Faulty(Membership sound) {
            this.sound = sound;
        }

        @Override
        public Member me() {
            return sound.me();
        }

        @Override
        public void listen(String topic, MembershipListener listener) {
            sound.listen(topic, listener);
        }

        @Override
        public boolean send(Member to, String topic, byte[] message) {
            if (failing) {
                throw new OutOfMemoryError("on purpose");
            }
            return sound.send(to, topic, message);
        }

        @Override
        public void close() {
            sound.close();
        }
    }

    @Test
    void no_message_is_forwarded_before_the_work_has_stopped() {
        Worker b = leadingWithAnother();
        long before = cluster.sent();
        a.loop.resign(Duration.ofSeconds(60));
        threads.settle();
        pass(300);
        assertThat(a.leads()).isFalse();
        assertThat(cluster.sent()).as("no message is sent while the work runs").isEqualTo(before);
        assertThat(b.leads()).isFalse();
        a.stop();
        pass(10);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void work_that_does_not_stop_delays_messages_only_for_the_leader_lease() {
        Worker b = leadingWithAnother();
        a.loop.resign(Duration.ofSeconds(60));
        pass(800);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void no_term_begins_before_the_work_of_the_previous_one_has_stopped() {
        pass(10);
        threads.standStill(Duration.ofSeconds(10));
        pass(600);
        assertThat(a.events).containsExactly("elected 1", "lost 1 EXPIRED");
        assertThat(a.leads()).isFalse();
        a.stop();
        assertThat(a.events).endsWith("elected 2");
        assertThat(a.leads()).isTrue();
    }

    @Test
    void work_that_does_not_stop_does_not_prevent_other_leaders() {
        pass(10);
        threads.standStill(Duration.ofSeconds(10));
        pass(900);
        var b = new Worker("b");
        pass(3_000);
        assertThat(b.leads()).isTrue();
        a.stop();
        pass(3_000);
        assertThat(b.leads()).isTrue();
        assertThat(a.events).containsExactly("elected 1", "lost 1 EXPIRED");
    }

    @Test
    void malformed_bytes_are_counted_logged_once_and_ignored() {
        pass(10);
        try (var log = new LogLines(
                "election=orders " + a.membership.me() + " sent bytes that are not a message of the ring: ")) {
            for (int i = 0; i < 2; i++) {
                a.membership.send(a.membership.me(), TOPIC, new byte[] {7});
                pass(10);
            }
            assertThat(log.lines()).hasSize(1);
        }
        assertThat(a.loop.tally().notRead()).isEqualTo(2);
        assertThat(a.loop.tally().notSent()).isZero();
        pass(3_000);
        assertThat(a.events).as("the timer still fires").containsExactly("elected 1");
        assertThat(a.leads()).isTrue();
    }

    @Test
    void messages_above_the_queue_limit_are_dropped() {
        var me = new Member("z", "1");
        var delivered = new ArrayList<MembershipListener>();
        var membership = new Membership() {
            @Override
            public Member me() {
                return me;
            }

            @Override
            public void listen(String topic, MembershipListener listener) {
                delivered.add(listener);
            }

            @Override
            public boolean send(Member to, String topic, byte[] message) {
                return false;
            }

            @Override
            public void close() {}
        };
        var loop = new MembershipLoop(
                threads,
                "orders",
                membership,
                new RingContest(SETTINGS, membership.me(), new RingTally()),
                event -> {});
        loop.start();
        threads.loop(() -> {
            for (int i = 0; i < 10_003; i++) {
                delivered.get(0).received(me, new byte[] {7});
            }
        });
        threads.settle();
        assertThat(loop.tally().notTaken()).isEqualTo(3);
        assertThat(loop.tally().notRead()).isEqualTo(10_000);
    }

    @Test
    void a_failing_membership_does_not_prevent_the_stop_of_the_work() {
        Worker b = leadingWithAnother();
        failing = true;
        a.loop.resign(Duration.ofSeconds(60));
        pass(100);
        assertThat(a.events).containsExactly("elected 1", "lost 1 RESIGNED");
        a.stop();
        assertThat(a.loop.tally().notSent()).isPositive();
        failing = false;
        pass(3_000);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_view_that_failed_is_repeated() { // L8
        Worker b = leadingWithAnother();
        failOnce.add("installed");
        cluster.kill(a.membership);
        pass(5_000);

        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_campaign_that_failed_is_repeated() { // L8
        cluster.kill(a.membership);
        var late = new Worker("late", false);
        pass(5_000);
        failOnce.add("campaign");
        late.loop.campaign();
        pass(2_000);

        assertThat(late.leads()).isTrue();
    }

    @Test
    void a_withdrawal_during_a_failure_ends_the_leadership() { // L8
        Worker b = leadingWithAnother();
        failOnce.add("withdraw");
        a.loop.withdraw(LossCause.UNHEALTHY);
        pass(100);

        assertThat(a.events).endsWith("lost 1 UNHEALTHY");
        a.stop();
        pass(1_000);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_resignation_that_failed_is_repeated() { // L8
        Worker b = leadingWithAnother();
        a.quick = true;
        failOnce.add("resign");
        a.loop.resign(Duration.ofSeconds(60));
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.events).containsExactly("elected 1", "lost 1 RESIGNED");
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_transfer_that_failed_is_repeated() { // L8
        Worker b = leadingWithAnother();
        a.quick = true;
        failOnce.add("handOver");
        a.loop.handOver("b", Duration.ofSeconds(60));
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.events).hasSize(2).endsWith("lost 1 TRANSFERRED");
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_timer_that_failed_is_repeated() { // L8
        leadingWithAnother();
        failOnce.add("woken");
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.leads()).isTrue();
        assertThat(a.events).containsExactly("elected 1");
    }

    @Test
    void a_leader_whose_listener_cannot_be_called_resigns() { // L8
        failOnce.add("Elected");
        a.quick = true;
        pass(10);
        assertThat(failOnce).isEmpty();
        assertThat(a.events).containsExactly("lost 1 RESIGNED");

        pass(3_000);
        assertThat(a.leads()).isTrue();
    }

    @Test
    void a_failed_effect_does_not_prevent_other_effects() { // L8
        Worker b = leadingWithAnother();
        a.quick = true;
        failOnce.add("LeaderChanged");
        a.loop.resign(Duration.ofSeconds(60));
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.events).containsExactly("elected 1", "lost 1 RESIGNED");
        assertThat(b.leads()).isTrue();
    }

    @Test
    void it_starts_as_an_observer_and_campaigns_on_request() {
        var quiet = new Worker("quiet", false);
        cluster.kill(a.membership);
        pass(5_000);
        assertThat(quiet.events).isEmpty();
        quiet.loop.campaign();
        pass(1_000);
        assertThat(quiet.events).containsExactly("elected 1");
    }

    @Test
    void after_the_membership_has_ended_nothing_is_sent_or_led() {
        Worker b = leadingWithAnother();
        a.membership.close();
        pass(10);
        assertThat(a.events).endsWith("lost 1 CLOSED");
        assertThat(a.loop.leader()).isEmpty();
        long before = a.loop.tally().notSent();
        a.loop.campaign();
        pass(3_000);
        assertThat(a.loop.tally().notSent()).isEqualTo(before);
        assertThat(a.leads()).isFalse();
        assertThat(b.leads()).isTrue();
    }

    @Test
    void sent_messages_are_counted() {
        leadingWithAnother();
        pass(1_000);
        RingTally tally = a.contest.tally();
        assertThat(tally.heartbeatsSent()).isPositive();
        assertThat(tally.electionSent()).isPositive();
    }

    @Test
    void messages_of_a_removed_member_are_not_read() {
        leadingWithAnother();
        cluster.join("c").send(a.membership.me(), TOPIC, new byte[] {7});
        pass(10);
        assertThat(a.loop.tally().notRead()).isZero();
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
