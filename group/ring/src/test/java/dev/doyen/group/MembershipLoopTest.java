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
 * The loop with the machine of a ring: the end of work, and faults.
 *
 * <p>It sends nothing before the work of an ended term has stopped. A leader leads for 800 ms without another
 * confirmation.
 *
 * <p>Longer than most classes, because all tests need the same faults.
 */
class MembershipLoopTest {

    private static final RingSettings SETTINGS = new RingSettings(
            RingAlgorithm.CHANG_ROBERTS, RingTiming.ofElectionTimeout(Duration.ofSeconds(1)), 100, true);

    private static final String TOPIC = "ring/orders";

    final ManualThreads threads = new ManualThreads();
    final FakeCluster cluster = new FakeCluster(threads);
    /** The names of machine calls that fail once. */
    private final Set<String> failOnce = new HashSet<>();

    final Worker a = new Worker("a");

    /** Whether all memberships fail with each message. */
    private boolean failing;

    /** Stops its work when the test asks it to, or at once if quick. */
    final class Worker implements LoopListener {
        final List<String> told = new ArrayList<>();
        final Membership membership;
        final RingContest contest;
        final MembershipLoop loop;
        boolean quick;
        private long working;

        Worker(String id) {
            this(id, true);
        }

        Worker(String id, boolean stands) {
            membership = cluster.join(id);
            contest = new RingContest(SETTINGS, membership.me(), new RingTally());
            loop = new MembershipLoop(threads, "orders", new Faulty(membership), failing(contest), this);
            loop.start();
            if (stands) {
                loop.campaign();
            }
        }

        @Override
        public void onEvent(ElectionEvent event) {
            failOnce(event.getClass().getSimpleName());
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

    /** A membership that fails while {@code failing} is set. */
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
        pass(600);
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
    void bytes_that_are_no_message_are_counted_and_logged_once_and_change_nothing() {
        pass(10);
        try (var log =
                new LogLines("election=orders " + a.membership.me() + " sent what is no message of the ring: ")) {
            for (int i = 0; i < 2; i++) {
                a.membership.send(a.membership.me(), TOPIC, new byte[] {7});
                pass(10);
            }
            assertThat(log.lines()).hasSize(1);
        }
        assertThat(a.loop.tally().notRead()).isEqualTo(2);
        assertThat(a.loop.tally().notSent()).isZero();
        pass(3_000);
        assertThat(a.told).as("its timer was not lost").containsExactly("elected 1");
        assertThat(a.leads()).isTrue();
    }

    @Test
    void messages_that_come_faster_than_they_are_taken_are_lost() {
        var me = new Member("z", "1");
        var heard = new ArrayList<MembershipListener>();
        var membership = new Membership() {
            @Override
            public Member me() {
                return me;
            }

            @Override
            public void listen(String topic, MembershipListener listener) {
                heard.add(listener);
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
                heard.get(0).received(me, new byte[] {7});
            }
        });
        threads.settle();
        assertThat(loop.tally().notTaken()).isEqualTo(3);
        assertThat(loop.tally().notRead()).isEqualTo(10_000);
    }

    @Test
    void a_membership_that_fails_with_a_message_does_not_keep_the_work_from_being_stopped() {
        Worker b = leadingWithAnother();
        failing = true;
        a.loop.resign(Duration.ofSeconds(60));
        pass(100);
        assertThat(a.told).containsExactly("elected 1", "lost 1 RESIGNED");
        a.stop();
        assertThat(a.loop.tally().notSent()).isPositive();
        failing = false;
        pass(3_000);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_view_that_the_machine_failed_on_is_given_to_it_again() { // L8
        Worker b = leadingWithAnother();
        failOnce.add("installed");
        cluster.kill(a.membership);
        pass(5_000);

        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_campaign_on_which_the_machine_failed_is_tried_again() { // L8
        cluster.kill(a.membership);
        var late = new Worker("late", false);
        pass(5_000);
        failOnce.add("campaign");
        late.loop.campaign();
        pass(2_000);

        assertThat(late.leads()).isTrue();
    }

    @Test
    void who_stands_back_while_the_machine_fails_leads_no_more() { // L8
        Worker b = leadingWithAnother();
        failOnce.add("withdraw");
        a.loop.withdraw(LossCause.UNHEALTHY);
        pass(100);

        assertThat(a.told).endsWith("lost 1 UNHEALTHY");
        a.stop();
        pass(1_000);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_resignation_that_the_machine_failed_on_is_given_to_it_again() { // L8
        Worker b = leadingWithAnother();
        a.quick = true;
        failOnce.add("resign");
        a.loop.resign(Duration.ofSeconds(60));
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.told).containsExactly("elected 1", "lost 1 RESIGNED");
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_hand_over_that_the_machine_failed_on_is_given_to_it_again() { // L8
        Worker b = leadingWithAnother();
        a.quick = true;
        failOnce.add("handOver");
        a.loop.handOver("b", Duration.ofSeconds(60));
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.told).hasSize(2).endsWith("lost 1 TRANSFERRED");
        assertThat(b.leads()).isTrue();
    }

    @Test
    void a_machine_that_failed_on_the_passing_of_time_is_asked_again() { // L8
        leadingWithAnother();
        failOnce.add("woken");
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.leads()).isTrue();
        assertThat(a.told).containsExactly("elected 1");
    }

    @Test
    void a_leader_of_whose_election_nobody_could_be_told_resigns() { // L8
        failOnce.add("Elected");
        a.quick = true;
        pass(10);
        assertThat(failOnce).isEmpty();
        assertThat(a.told).containsExactly("lost 1 RESIGNED");

        pass(3_000);
        assertThat(a.leads()).isTrue();
    }

    @Test
    void an_effect_that_fails_keeps_no_other_from_being_carried_out() { // L8
        Worker b = leadingWithAnother();
        a.quick = true;
        failOnce.add("LeaderChanged");
        a.loop.resign(Duration.ofSeconds(60));
        pass(3_000);

        assertThat(failOnce).isEmpty();
        assertThat(a.told).containsExactly("elected 1", "lost 1 RESIGNED");
        assertThat(b.leads()).isTrue();
    }

    @Test
    void it_begins_as_an_observer_and_stands_when_it_is_asked() {
        var quiet = new Worker("quiet", false);
        cluster.kill(a.membership);
        pass(5_000);
        assertThat(quiet.told).isEmpty();
        quiet.loop.campaign();
        pass(1_000);
        assertThat(quiet.told).containsExactly("elected 1");
    }

    @Test
    void after_the_membership_has_ended_nothing_is_sent_or_led() {
        Worker b = leadingWithAnother();
        a.membership.close();
        pass(10);
        assertThat(a.told).endsWith("lost 1 CLOSED");
        assertThat(a.loop.leader()).isEmpty();
        long before = a.loop.tally().notSent();
        a.loop.campaign();
        pass(3_000);
        assertThat(a.loop.tally().notSent()).isEqualTo(before);
        assertThat(a.leads()).isFalse();
        assertThat(b.leads()).isTrue();
    }

    @Test
    void what_was_sent_is_counted() {
        leadingWithAnother();
        pass(1_000);
        RingTally tally = a.contest.tally();
        assertThat(tally.heartbeatsSent()).isPositive();
        assertThat(tally.electionSent()).isPositive();
    }

    @Test
    void what_a_member_sent_that_is_put_out_is_not_read() {
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
