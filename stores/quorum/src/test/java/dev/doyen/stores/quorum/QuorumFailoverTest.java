package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * How long three members have no leader after a fault, in virtual time. All members look for the leader at the same instants,
 * so two candidates often begin together. One frame of 50 is up to 400 ms late.
 */
class QuorumFailoverTest {

    private static final int SEEDS = 100;

    /** Silence of 500 ms, noticed at the next of the looks that come every 100 ms, and one round of votes. */
    private static final long USUAL = 800;

    /** Two more rounds: the timeout of a candidate is 200 to 410 ms. */
    private static final long LONGEST = USUAL + 2 * 410;

    @Test
    void candidates_that_begin_together_do_not_split_the_votes_again_and_again() {
        Times times = times((world, leader) -> leader.losePower());

        assertThat(times.median()).isLessThan(USUAL);
        assertThat(times.longest()).isLessThan(LONGEST);
    }

    /** A member that starts asks for votes, and hears the leader of the same term then. */
    @Test
    void members_that_have_started_again_notice_the_end_of_the_leader_as_soon_as_others() {
        Times times = times((world, leader) -> {
            for (QuorumWorld.Machine each : others(world, leader)) {
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

    /** The others still receive its heartbeats, until it finds that nobody answers. */
    @Test
    void a_leader_that_receives_nothing_is_replaced_as_soon_as_it_steps_down() {
        Times times = times((world, leader) -> {
            for (QuorumWorld.Machine each : others(world, leader)) {
                world.cut(each, leader);
            }
        });

        assertThat(times.median()).isLessThan(USUAL);
        assertThat(times.longest()).isLessThan(LONGEST);
    }

    @Test
    void a_member_that_is_closed_lets_another_one_lead_first() {
        Times times = times((world, leader) -> {
            var handedOver = leader.process.handOver();
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

    /** From the fault of the leader to the next leader, for each seed. */
    private static Times times(BiConsumer<QuorumWorld, QuorumWorld.Machine> fault) {
        List<Long> times = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            var world = new QuorumWorld(seed, file -> file);
            world.machines().forEach(QuorumWorld.Machine::start);
            while (world.machines().stream().noneMatch(QuorumWorld.Machine::leads)) {
                world.run(100);
            }
            world.run(1_000);
            QuorumWorld.Machine leader = world.machines().stream()
                    .filter(QuorumWorld.Machine::leads)
                    .findFirst()
                    .orElseThrow();
            fault.accept(world, leader);
            long begin = world.now();
            while (others(world, leader).stream().noneMatch(QuorumWorld.Machine::leads)) {
                world.run(5);
            }
            times.add(world.now() - begin);
        }
        times.sort(null);
        return new Times(times);
    }

    private static List<QuorumWorld.Machine> others(QuorumWorld world, QuorumWorld.Machine leader) {
        return world.machines().stream().filter(each -> each != leader).toList();
    }
}
