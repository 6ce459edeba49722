package dev.doyen.group.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.ElectionListener;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.Leader;
import dev.doyen.group.FakeCluster;
import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingElection;
import dev.doyen.group.RingLeadership;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Membership;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests when the reported state counts as confirmed: at the last heartbeat, not at the query. */
class KnownElectionTest {

    private static final RingTiming TIMING = RingTiming.ofElectionTimeout(Duration.ofSeconds(5));
    private static final Duration SHORT = TIMING.heartbeatInterval().dividedBy(2);

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Membership leader = cluster.join("a");
    private final Membership follower = cluster.join("b");
    private final KnownElection ofLeader = known(leader);
    private final KnownElection ofFollower = known(follower);

    @Test
    void it_moves_with_the_heartbeats_at_the_leader_and_at_the_follower() {
        threads.pass(TIMING.heartbeatInterval().multipliedBy(10));
        for (KnownElection each : new KnownElection[] {ofLeader, ofFollower}) {
            ElectionView view = view(each);
            assertThat(view.leader().map(Leader::id)).contains("a");
            assertThat(Duration.between(view.lastUpdate(), now())).isLessThanOrEqualTo(TIMING.heartbeatInterval());
            assertThat(view.lastUpdate()).isAfter(view.since());
        }
    }

    @Test
    void it_does_not_advance_without_heartbeats_while_the_leader_is_still_known() {
        threads.pass(TIMING.heartbeatInterval().multipliedBy(10));
        cluster.drop(leader, follower);
        threads.pass(SHORT);
        Instant confirmedOfFollower = view(ofFollower).lastUpdate();
        threads.pass(TIMING.heartbeatInterval().multipliedBy(2));
        assertThat(view(ofFollower).leader()).isPresent();
        assertThat(view(ofFollower).lastUpdate()).isEqualTo(confirmedOfFollower);
        assertThat(view(ofLeader).leader()).isPresent();
        assertThat(Duration.between(view(ofLeader).lastUpdate(), now())).isGreaterThan(TIMING.heartbeatInterval());
    }

    @Test
    void that_nobody_leads_is_as_old_as_its_beginning() {
        threads.pass(TIMING.heartbeatInterval().multipliedBy(10));
        cluster.drop(leader, follower);
        cluster.drop(follower, leader);
        threads.pass(TIMING.electionTimeout().plus(TIMING.heartbeatInterval()));
        ElectionView view = view(ofFollower);
        assertThat(view.leader()).isEmpty();
        assertThat(view.lastUpdate()).isEqualTo(view.since()).isBefore(now());
    }

    private KnownElection known(Membership membership) {
        RingElection election = RingElection.named("orders")
                .membership(membership)
                .threads(threads)
                .timing(TIMING)
                .open();
        var known =
                new KnownElection("orders", () -> election.status().lastHeartbeat(), TIMING.leaderLease(), this::now);
        RingCandidate candidate = election.join(membership.me().id());
        candidate.listen(new ElectionListener<RingLeadership>() {
            @Override
            public void leaderChanged(Optional<Leader> leader) {
                known.report(leader);
            }
        });
        known.open(candidate);
        threads.pass(SHORT);
        return known;
    }

    private Instant now() {
        return Instant.ofEpochMilli(threads.now().wallMillis());
    }

    private static ElectionView view(KnownElection known) {
        return known.view().orElseThrow();
    }
}
