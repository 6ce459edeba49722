package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * Tests how long three members have no leader after a fault, in virtual time.
 *
 * <p>All members check for a leader at the same instants, so two candidates often begin an election at the same
 * time. One frame in 50 is delayed by up to 400 ms.
 */
class QuorumFailoverTest {

    private static final int SEEDS = Integer.getInteger("quorum.failovers", 50);

    /**
     * The limit for the median time without a leader, in milliseconds. This time consists of 500 ms of silence, the
     * time until the next check (every 100 ms), and one round of votes.
     */
    private static final long USUAL = 800;

    /**
     * The maximum time without a leader in milliseconds, which allows two more rounds of votes. The timeout of a
     * candidate is 200 to 410 ms.
     */
    private static final long LONGEST = USUAL + 2 * 410;

    @Test
    void concurrent_candidates_do_not_split_the_votes_repeatedly() {
        Times times = times((world, leader) -> leader.losePower());

        assertThat(times.median()).isLessThan(USUAL);
        assertThat(times.longest()).isLessThan(LONGEST);
    }

    /**
     * A member that starts asks the other members for their votes. The leader keeps its term, and its next message
     * makes the member a follower. The member must then still detect the end of the leader in time.
     */
    @Test
    void restarted_members_detect_the_end_of_the_leader_as_early_as_others() {
        Times times = times((world, leader) -> {
            for (WorldMember each : others(world, leader)) {
                each.losePower();
                each.start();
                world.run(1_000);
            }
            assertThat(leader.leads()).isTrue();
            leader.losePower();
        });

        assertThat(times.median()).isLessThan(USUAL);
        assertThat(times.longest()).isLessThan(LONGEST);
    }

    /** The other members still receive the leader's heartbeats, until the leader detects that no member answers. */
    @Test
    void a_leader_that_receives_nothing_is_replaced_as_soon_as_it_steps_down() {
        Times times = times((world, leader) -> {
            for (WorldMember each : others(world, leader)) {
                world.network().cut(each.number(), leader.number());
            }
        });

        assertThat(times.median()).isLessThan(USUAL);
        assertThat(times.longest()).isLessThan(LONGEST);
    }

    @Test
    void a_member_that_is_closed_lets_another_one_lead_first() {
        Times times = times((world, leader) -> {
            var handedOver = leader.process().handOver();
            while (!handedOver.isDone()) {
                world.run(1);
            }
            leader.losePower();
        });

        assertThat(times.median()).isLessThan(100);
    }

    private record Times(List<Long> sorted) {
        long median() {
            return sorted.get(sorted.size() / 2);
        }

        long longest() {
            return sorted.get(sorted.size() - 1);
        }
    }

    /** Returns the times from the fault to the next leader, one for each seed. */
    private static Times times(BiConsumer<QuorumWorld, WorldMember> fault) {
        List<Long> times = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            var world = new QuorumWorld(seed, file -> file);
            world.members().forEach(WorldMember::start);
            while (world.members().stream().noneMatch(WorldMember::leads)) {
                world.run(100);
            }
            world.run(1_000);
            WorldMember leader = world.members().stream()
                    .filter(WorldMember::leads)
                    .findFirst()
                    .orElseThrow();
            fault.accept(world, leader);
            long begin = world.now();
            while (others(world, leader).stream().noneMatch(WorldMember::leads)) {
                world.run(5);
            }
            times.add(world.now() - begin);
        }
        times.sort(null);
        return new Times(times);
    }

    private static List<WorldMember> others(QuorumWorld world, WorldMember leader) {
        return world.members().stream().filter(each -> each != leader).toList();
    }
}
