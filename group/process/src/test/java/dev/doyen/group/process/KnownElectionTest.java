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

/** Tests that the confirmation time of the reported state does not advance with the queries. */
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
    void the_update_time_advances_with_the_heartbeats() {
        threads.pass(TIMING.heartbeatInterval().multipliedBy(10));
        for (KnownElection each : new KnownElection[] {ofLeader, ofFollower}) {
            ElectionView view = view(each);
            assertThat(view.leader().map(Leader::id)).contains("a");
            assertThat(Duration.between(view.lastUpdate(), now())).isLessThanOrEqualTo(TIMING.heartbeatInterval());
            assertThat(view.lastUpdate()).isAfter(view.since());
        }
    }

    @Test
    void the_update_time_does_not_advance_without_heartbeats() {
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
    void the_update_time_without_a_leader_is_the_time_of_the_loss() {
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
