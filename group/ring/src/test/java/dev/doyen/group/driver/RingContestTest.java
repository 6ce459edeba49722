package dev.doyen.group.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.group.driver.MembershipContest.Blame;
import dev.doyen.group.driver.MembershipContest.Effect;
import dev.doyen.group.driver.MembershipContest.ExplanationContext;
import dev.doyen.group.driver.MembershipContest.Jeopardy;
import dev.doyen.group.driver.MembershipContest.Lead;
import dev.doyen.group.driver.MembershipContest.Notice;
import dev.doyen.group.driver.MembershipContest.Outcome;
import dev.doyen.group.driver.MembershipContest.Send;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests two members of a ring. The members have no {@code MembershipLoop}.
 *
 * <p>The test advances the clocks and delivers the messages. The leader lease is 800 ms.
 */
class RingContestTest {

    private static final RingTiming TIMING = RingTiming.ofElectionTimeout(Duration.ofSeconds(1));
    private static final RingSettings SETTINGS = settings(RingAlgorithm.CHANG_ROBERTS);

    private Moment now = new Moment(1_000_000_000L, 1_700_000_000_000L);
    private final List<Delivery> underWay = new ArrayList<>();
    private final Participant a = new Participant("a", SETTINGS);
    private final Participant b = new Participant("b", SETTINGS);

    private record Delivery(Participant from, Send send) {}

    private final class Participant {
        final Member me;
        final RingContest contest;
        final List<Effect> effects = new ArrayList<>();
        boolean tallyFails;

        final RingTally tally = new RingTally() {
            @Override
            void heartbeat(Moment at) {
                if (tallyFails) {
                    throw new OutOfMemoryError("on purpose");
                }
                super.heartbeat(at);
            }
        };

        Participant(String id, RingSettings settings) {
            me = new Member(id, "1");
            contest = new RingContest(settings, me, tally);
        }

        void take(Outcome outcome) {
            for (Effect effect : outcome.effects()) {
                if (effect instanceof Send send) {
                    send.sent().increment();
                    underWay.add(new Delivery(this, send));
                } else {
                    effects.add(effect);
                }
            }
        }

        <E extends Effect> List<E> of(Class<E> kind) {
            return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        Explanation explain(Optional<LossCause> withdrawnBecause, boolean doubted) {
            boolean leads = !contest.snapshot().remainingAt(now).isZero();
            return contest.snapshot().explain(new ExplanationContext(now, leads, withdrawnBecause, doubted));
        }

        Explanation explain() {
            return explain(Optional.empty(), false);
        }
    }

    private static RingSettings settings(RingAlgorithm algorithm) {
        return new RingSettings(algorithm, TIMING, 100, true);
    }

    @Test
    void a_member_has_the_time_of_the_last_message_of_the_leader() {
        assertThat(a.tally.lastHeartbeat()).isEmpty();
        ring();
        assertThat(a.contest.snapshot().leading()).contains(1L);
        Instant began = wall();
        pass(200);
        a.take(a.contest.woken(now));
        pass(5);
        deliverAll();
        assertThat(a.tally.lastHeartbeat())
                .as("the leader has the time at which it began to lead")
                .contains(began);
        Instant receivedAt = wall();
        assertThat(b.tally.lastHeartbeat()).contains(receivedAt);
        pass(5);
        b.take(b.contest.resign(now, Duration.ZERO));
        assertThat(b.tally.lastHeartbeat())
                .as("an input other than a message of the leader does not change the time")
                .contains(receivedAt);
    }

    @Test
    void the_time_of_the_last_message_of_a_silent_leader_is_kept() {
        ring();
        Instant receivedAt = wall();
        pass(5_000);
        b.take(b.contest.woken(now));

        assertThat(b.contest.snapshot().leader()).isEmpty();
        assertThat(b.tally.lastHeartbeat()).contains(receivedAt);
    }

    @Test
    void a_leader_measures_the_time_of_a_message_around_the_ring() {
        ring();
        assertThat(b.tally.confirmedIn()).isEmpty();
        pass(200);
        a.take(a.contest.woken(now));
        pass(5);
        deliverAll();
        assertThat(a.tally.confirmedIn()).contains(Duration.ofMillis(5));
        pass(5);
        a.take(a.contest.woken(now));
        assertThat(a.tally.confirmedIn())
                .as("no later message has passed the ring")
                .contains(Duration.ofMillis(5));
    }

    @Test
    void the_state_of_the_machine_is_available() {
        assertThat(a.tally.state()).isEmpty();
        ring();

        assertThat(a.tally.state()).map(RingState::me).contains(a.me);
        assertThat(a.tally.state().flatMap(RingState::leading)).isPresent();
    }

    @Test
    void messages_are_counted_when_they_are_sent_and_when_they_are_dropped() {
        ring();
        a.take(a.contest.handOver(now, "b", Duration.ofSeconds(60)));
        assertThat(a.tally.transfersSent()).isEqualTo(1);
        deliverAll();
        assertThat(b.contest.snapshot().leading()).isPresent();

        pass(200);
        b.take(b.contest.woken(now));
        a.take(a.contest.installed(now, view(2)));
        deliverAll();
        assertThat(a.tally.dropped(RingEffect.Why.PAST)).isEqualTo(1);
        assertThat(a.tally.nacksSent()).isEqualTo(1);
    }

    @Test
    void an_input_that_failed_has_its_effects_when_it_is_repeated() { // L8
        var alone = new View(new ViewId(1, "test"), List.of(a.me));
        a.tallyFails = true;
        assertThatThrownBy(() -> a.contest.installed(now, alone)).isInstanceOf(OutOfMemoryError.class);
        assertThat(a.contest.snapshot().leading()).isEmpty();

        a.tallyFails = false;
        a.take(a.contest.installed(now, alone));
        assertThat(a.contest.snapshot().leading()).contains(1L);
        assertThat(a.of(Lead.class)).containsExactly(new Lead(1));
    }

    @Test
    void a_failed_handover_is_logged_and_explained() {
        ring();
        a.take(a.contest.handOver(now, "nobody", Duration.ofSeconds(60)));
        assertThat(a.of(Notice.class))
                .containsExactly(
                        new Notice("the handover to \"nobody\" failed: the view contains no other member of that"
                                + " name; this member continues to lead"));
        a.effects.clear();

        a.take(a.contest.handOver(now, "b", Duration.ofSeconds(60)));
        underWay.clear();
        pass(200);
        a.take(a.contest.woken(now));
        String failed = "the handover to \"b\" failed: the successor did not answer; the members elect any candidate";
        assertThat(a.of(Notice.class)).containsExactly(new Notice(failed));
        assertThat(a.explain())
                .isEqualTo(new Explanation(
                        Reason.COOLDOWN,
                        "resigned recently, or its work has not stopped; nobody is known to lead the view of 2"
                                + " members; " + failed));
    }

    @Test
    void a_member_with_another_algorithm_is_reported() {
        var other = new Participant("b", settings(RingAlgorithm.PETERSON));
        a.take(a.contest.installed(now, view(1)));
        other.take(other.contest.installed(now, view(1)));
        for (Delivery delivery : List.copyOf(underWay)) {
            deliver(delivery, a, other);
        }

        assertThat(a.of(Blame.class))
                .containsExactly(new Blame(other.me, "uses another algorithm than this member; set the same for all"));
        assertThat(a.tally.dropped(RingEffect.Why.OTHER_ALGORITHM)).isEqualTo(1);
    }

    @Test
    void a_leader_explains_for_how_long_it_leads() {
        ring();
        pass(100);
        assertThat(a.explain())
                .isEqualTo(new Explanation(Reason.LEADING, "leads the view of 2 members for at least another 700 ms"));
        pass(300);
        a.take(a.contest.woken(now));
        assertThat(a.of(Jeopardy.class)).hasSize(1);
        assertThat(a.explain(Optional.empty(), true))
                .isEqualTo(
                        new Explanation(
                                Reason.IN_JEOPARDY,
                                "leads the view of 2 members for at least another 400 ms; no message has passed the whole ring recently"));
    }

    @Test
    void a_member_alone_explains_that_it_leads() {
        a.take(a.contest.installed(now, new View(new ViewId(1, "test"), List.of(a.me))));
        assertThat(a.explain().sentence()).startsWith("leads the view of this member alone for at least another ");
    }

    @Test
    void a_member_explains_why_it_does_not_lead() {
        assertThat(b.explain())
                .isEqualTo(
                        new Explanation(Reason.NOT_SEEN, "no view that contains this member has been installed yet"));
        b.take(b.contest.installed(now, view(1)));
        assertThat(b.explain())
                .isEqualTo(new Explanation(
                        Reason.TAKING, "campaigns in round 0 of the view of 2 members, which has no winner yet"));
        underWay.clear();
        ring();
        assertThat(b.explain()).isEqualTo(new Explanation(Reason.HELD, "\"a\" leads, in term 1"));
    }

    @Test
    void a_member_that_withdrew_explains_why() {
        ring();
        assertThat(b.explain(Optional.of(LossCause.PAUSED), false))
                .isEqualTo(
                        new Explanation(Reason.CANDIDATE_PAUSED, "this candidate is paused; \"a\" leads, in term 1"));
        assertThat(b.explain(Optional.of(LossCause.RESIGNED), false))
                .isEqualTo(new Explanation(
                        Reason.WITHOUT_TASK,
                        "whileLeading has ended, and this candidate does not campaign until it is called again;"
                                + " \"a\" leads, in term 1"));
        assertThat(b.explain(Optional.of(LossCause.UNHEALTHY), false))
                .isEqualTo(new Explanation(
                        Reason.UNHEALTHY, "the health check of this candidate fails; \"a\" leads, in term 1"));
        assertThat(b.explain(Optional.of(LossCause.CLOSED), false))
                .isEqualTo(new Explanation(
                        Reason.OBSERVING, "only observes and forwards messages; \"a\" leads, in term 1"));
    }

    @Test
    void a_member_that_was_elected_before_its_work_has_stopped_explains_that() {
        ring();
        assertThat(a.contest.snapshot().explain(new ExplanationContext(now, false, Optional.empty(), false)))
                .isEqualTo(new Explanation(
                        Reason.STOPPING, "was elected, but the work of its previous term has not stopped"));
    }

    /** Lets both members install the first view. Afterwards, member a leads in term 1. */
    private void ring() {
        a.take(a.contest.installed(now, view(1)));
        b.take(b.contest.installed(now, view(1)));
        deliverAll();
    }

    private View view(long number) {
        return new View(new ViewId(number, "test"), List.of(a.me, b.me));
    }

    private void deliverAll() {
        while (!underWay.isEmpty()) {
            deliver(underWay.remove(0), a, b);
        }
    }

    private void deliver(Delivery delivery, Participant... members) {
        Participant to = Arrays.stream(members)
                .filter(each -> each.me.equals(delivery.send().to()))
                .findFirst()
                .orElseThrow();
        try {
            to.take(to.contest
                    .received(delivery.from().me, delivery.send().message().get())
                    .apply(now));
        } catch (UnreadableMessageException e) {
            throw new AssertionError(e);
        }
    }

    private void pass(long millis) {
        now = new Moment(now.nanos() + millis * 1_000_000, now.wallMillis() + millis);
    }

    private Instant wall() {
        return Instant.ofEpochMilli(now.wallMillis());
    }
}
