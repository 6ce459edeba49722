package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.ranking.LeaderView;
import dev.doyen.ranking.Ranking;
import dev.doyen.ranking.RankingSettings;
import dev.doyen.roster.RosterEffect;
import dev.doyen.roster.RosterInput;
import dev.doyen.roster.RosterMachine;
import dev.doyen.roster.RosterState;
import dev.doyen.roster.RosterStep;
import dev.doyen.roster.RosterWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ranking over a membership, on the wire of a {@link FakeCluster}: docs/spec/ranking.md, "Over a membership". */
class RosterOverMembershipTest {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final RankingSettings SETTINGS = new RankingSettings(
            Ranking.oldest(),
            0,
            true,
            TTL,
            Duration.ofMillis(50),
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            Duration.ofMillis(250),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10));

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final List<Seat> seats = new ArrayList<>();
    private int mostLeaders;

    /** A machine and the least of a driver. */
    private final class Seat implements MembershipListener {
        final Membership membership;
        final List<Long> led = new ArrayList<>();
        private final RosterMachine machine = new RosterMachine(SETTINGS);
        private RosterState state;
        private long wakes;

        Seat(String id) {
            membership = cluster.join(id);
            state = machine.begin(membership.me(), threads.now());
            seats.add(this);
            membership.listen("orders", this);
        }

        @Override
        public void installed(View view) {
            take(new RosterInput.Installed(threads.now(), view));
        }

        @Override
        public void received(Member from, byte[] message) {
            try {
                take(new RosterInput.Received(threads.now(), from, RosterWire.read(message)));
            } catch (MalformedMessageException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void ended() {
            seats.remove(this);
        }

        void take(RosterInput input) {
            RosterStep step = machine.step(state, input);
            state = step.next();
            for (RosterEffect effect : step.effects()) {
                if (effect instanceof RosterEffect.Send send) {
                    membership.send(send.to(), "orders", RosterWire.write(send.message()));
                } else if (effect instanceof RosterEffect.StartWork start) {
                    led.add(start.term());
                }
            }
            mostLeaders = Math.max(mostLeaders, leaders().size());
            long mine = ++wakes;
            if (step.wakeAtNanos() != Long.MAX_VALUE) {
                threads.at(step.wakeAtNanos(), () -> {
                    if (mine == wakes && seats.contains(this)) {
                        take(new RosterInput.Tick(threads.now()));
                    }
                });
            }
        }

        boolean leads() {
            return state.leadsAt(threads.now());
        }

        Optional<String> names() {
            return state.leader().map(LeaderView::clientId);
        }
    }

    private final Seat a = new Seat("a");
    private final Seat b = new Seat("b");
    private final Seat c = new Seat("c");

    private List<Seat> leaders() {
        return seats.stream().filter(Seat::leads).toList();
    }

    private void pass(long millis) {
        threads.pass(Duration.ofMillis(millis));
    }

    private void assertLeads(Seat leader) {
        assertThat(leaders()).containsExactly(leader);
        assertThat(seats)
                .allSatisfy(seat ->
                        assertThat(seat.names()).hasValue(leader.membership.me().id()));
    }

    @Test
    void the_oldest_leads_and_all_name_it_and_a_newcomer_does_not_disturb_it() {
        cluster.delay(Duration.ofMillis(10));
        pass(1000);
        assertLeads(a);
        var late = new Seat("A");
        pass(1000);
        assertLeads(a);
        assertThat(late.names()).hasValue("a");
        assertThat(a.led).containsExactly(1L);
        assertThat(mostLeaders).isEqualTo(1);
    }

    @Test
    void after_a_crash_the_next_leads_in_a_higher_term_also_if_only_newcomers_remember_nothing() {
        pass(1000);
        cluster.kill(a.membership);
        seats.remove(a);
        cluster.kill(b.membership);
        seats.remove(b);
        var late = new Seat("A");
        pass(1000);
        assertLeads(c);
        cluster.kill(c.membership);
        seats.remove(c);
        pass(1000);
        assertLeads(late);
        assertThat(a.led).containsExactly(1L);
        assertThat(c.led).containsExactly(2L);
        assertThat(late.led).containsExactly(3L);
    }

    @Test
    void each_side_of_a_partition_has_a_leader_and_after_the_merge_one_of_them_stops() {
        pass(1000);
        cluster.partition(a.membership);
        pass(1000);
        assertThat(leaders()).containsExactlyInAnyOrder(a, b);
        assertThat(a.led).containsExactly(1L);
        assertThat(b.led).containsExactly(2L);
        cluster.merge();
        pass(1000);
        assertLeads(b);
        assertThat(b.led).containsExactly(2L);
    }

    @Test
    void a_leader_that_one_member_does_not_hear_stops_and_one_that_all_hear_leads() {
        pass(1000);
        cluster.drop(a.membership, c.membership);
        pass(5000);
        assertThat(leaders()).containsExactly(b);
        assertThat(c.led).isEmpty();
        cluster.dropNothing();
        pass(2000);
        assertLeads(b);
        assertThat(mostLeaders).isEqualTo(1);
    }

    @Test
    void who_falls_silent_in_its_view_leaves_nobody_to_lead_until_the_view_is_without_it() {
        pass(1000);
        cluster.vanish(c.membership);
        seats.remove(c);
        pass(5000);
        assertThat(leaders()).as("c does not answer").isEmpty();
        cluster.kill(new Seat("d").membership);
        seats.remove(seats.size() - 1);
        pass(2000);
        assertThat(leaders()).hasSize(1);
    }

    @Test
    void messages_that_overtake_their_view_are_kept() {
        cluster.viewDelay(Duration.ofMillis(5));
        cluster.delay(Duration.ofMillis(1));
        var late = new Seat("d");
        pass(1000);
        assertThat(leaders()).containsExactly(a);
        assertThat(late.names()).hasValue("a");
    }

    @Test
    void a_leader_costs_a_message_to_each_other_member_and_back_each_quarter_of_ttl() {
        pass(1000);
        long before = cluster.sent();
        pass(10_000);
        assertThat(cluster.sent() - before).isEqualTo(20 * 2 * 2);
    }

    @Test
    void who_resigns_makes_room_and_who_leaves_too() {
        pass(1000);
        a.take(new RosterInput.Resign(threads.now(), Duration.ofSeconds(2)));
        pass(1000);
        assertLeads(b);
        b.membership.close();
        pass(1000);
        assertLeads(c);
        assertThat(mostLeaders).isEqualTo(1);
    }

    @Test
    void a_process_that_stood_still_does_not_lead_when_it_wakes() {
        pass(1000);
        threads.standStill(TTL);
        assertThat(leaders()).isEmpty();
        pass(3000);
        assertThat(leaders()).hasSize(1);
    }
}
