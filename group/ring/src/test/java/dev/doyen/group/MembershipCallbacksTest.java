package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.Threads;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Membership;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests that listeners of an election over a membership never run inside a step of the loop.
 *
 * <p>A listener that queries the election reads exactly the state that the event reports.
 */
class MembershipCallbacksTest {

    private final ManualThreads manual = new ManualThreads();
    private final Membership membership = new FakeCluster(manual).join("a");
    private final List<String> received = new ArrayList<>();
    private boolean inLoop;

    /** Manual threads that also record whether the loop is running. */
    private final Threads threads = new Threads() {
        @Override
        public Moment now() {
            return manual.now();
        }

        @Override
        public boolean loop(Runnable task) {
            return manual.loop(() -> inLoop(task));
        }

        @Override
        public Timer at(long atNanos, Runnable task) {
            return manual.at(atNanos, () -> inLoop(task));
        }

        @Override
        public boolean store(Runnable call) {
            return manual.store(call);
        }

        @Override
        public void callback(Runnable callback) {
            manual.callback(callback);
        }

        @Override
        public void close() {
            manual.close();
        }
    };

    private void inLoop(Runnable task) {
        inLoop = true;
        try {
            task.run();
        } finally {
            inLoop = false;
        }
    }

    @Test
    void listeners_on_a_ring_are_called_outside_the_loop() {
        leadsAndResigns(RingElection.named("orders")
                .membership(membership)
                .threads(threads)
                .open());
    }

    private void leadsAndResigns(RingElection election) {
        RingCandidate candidate = election.join("a");
        candidate.listen(new ElectionListener<RingLeadership>() {
            @Override
            public void elected(RingLeadership leadership) {
                note("elected, leads: " + candidate.isLeader());
            }

            @Override
            public void lost(LossCause cause) {
                note("lost, leads: " + candidate.isLeader());
            }

            @Override
            public void leaderChanged(Optional<Leader> leader) {
                note("leader, as is known: " + leader.equals(candidate.leader()));
            }
        });
        manual.pass(Duration.ofSeconds(1));
        candidate.resign(Duration.ofSeconds(60)).thenRun(() -> note("done"));
        manual.pass(Duration.ofSeconds(1));
        assertThat(received)
                .containsExactly(
                        "leader, as is known: true",
                        "elected, leads: true",
                        "leader, as is known: true",
                        "lost, leads: false",
                        "leader, as is known: true",
                        "done");
    }

    private void note(String what) {
        received.add(inLoop ? what + ", in the loop" : what);
    }
}
