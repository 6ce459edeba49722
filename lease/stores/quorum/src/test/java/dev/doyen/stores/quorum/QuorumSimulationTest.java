package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests members under faults in virtual time.
 *
 * <p>No confirmed write may be lost, and the history of all operations must be linearizable. After the end of the
 * faults, all members must take part again.
 */
class QuorumSimulationTest {

    /** The last seed of the range that starts with 1. With more seeds the test runs for minutes. */
    private static final int SEEDS = Integer.getInteger("quorum.seeds", 25);

    @Test
    void registers_are_linearizable_under_faults() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var world = new QuorumWorld(seed, file -> file);
            assertThat(world.play()).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void registers_are_linearizable_during_changes_of_members() {
        int changes = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            int founders = seed % 2 == 0 ? 3 : 5;
            var world = QuorumWorld.changing(seed, founders, 2);
            assertThat(world.play()).as("seed " + seed).isEmpty();
            changes += world.changes();
        }
        assertThat(changes).as("number of completed changes").isGreaterThan(SEEDS);
    }

    @Test
    void registers_are_linearizable_for_clients() {
        long answered = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            var world = QuorumWorld.withClients(seed, ClientQuorum.CLIENTS);
            assertThat(world.play()).as("seed " + seed).isEmpty();
            answered += world.answeredToClients();
        }
        assertThat(answered).as("number of answers to clients").isGreaterThan(20L * SEEDS);
    }

    /** With this seed, a member receives a snapshot while its log contains an unconfirmed change of members. */
    @Test
    void a_snapshot_replaces_a_list_of_members_that_was_never_confirmed() {
        new ChangingQuorum().run(151);
    }

    @Test
    void a_removed_founder_elects_nobody_after_a_restart() throws IOException {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new SingleFaults(QuorumWorld.changing(seed, 3, 1)).startRemovedFounderWithSnapshot())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    /**
     * In this simulation a founder loses its directory while an added member leads. The founder does not have the
     * address of that member.
     */
    @Test
    void a_member_without_its_directory_finds_a_leader_with_an_unknown_address() {
        new ChangingQuorum().run(672);
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new SingleFaults(QuorumWorld.changing(seed, 3, 1)).loseDirectoryUnderAddedLeader())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_replaced_member_is_notified_by_a_leader_with_an_unknown_address() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new SingleFaults(QuorumWorld.changing(seed, 3, 1)).startReplacedFounderUnderAddedLeader())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_process_whose_addition_was_interrupted_is_added_again_with_the_same_directory(boolean isRestarted) {
        int interrupted = 0;
        for (long seed = 1; seed <= 20; seed++) {
            Optional<String> fault = new SingleFaults(QuorumWorld.changing(seed, 3, 1)).addAgain(isRestarted);
            if (!fault.equals(Optional.of("the addition was not interrupted"))) {
                assertThat(fault).as("seed " + seed).isEmpty();
                interrupted++;
            }
        }
        assertThat(interrupted)
                .as("number of worlds with an interrupted addition")
                .isPositive();
    }

    @Test
    void a_joining_process_reports_a_missing_leader() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new SingleFaults(QuorumWorld.changing(seed, 3, 1)).silenceJoiningProcess())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_leader_that_only_learners_answer_steps_down() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new SingleFaults(QuorumWorld.changing(seed, 3, 2)).cutLeaderFromVoters())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_member_with_a_full_disk_stops_and_the_others_continue() {
        for (long seed = 1; seed <= SEEDS / 10; seed++) {
            assertThat(new SingleFaults(new QuorumWorld(seed, file -> file)).fillOneDisk())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_frozen_follower_affects_neither_the_term_nor_the_speed_of_the_leader() {
        for (long seed = 1; seed <= SEEDS / 10; seed++) {
            assertThat(new SingleFaults(new QuorumWorld(seed, file -> file)).stopOneFollower())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_full_disk_during_the_founding_is_reported() {
        var world = new QuorumWorld(1, file -> {
            file.fillUp();
            return file;
        });

        assertThat(new SingleFaults(world).refusals()).anyMatch(each -> each.contains("No space left on device"));
    }

    @Test
    void a_disk_that_loses_confirmed_writes_is_detected() {
        boolean isFound = false;
        for (long seed = 1; seed <= 100 && !isFound; seed++) {
            isFound = new QuorumWorld(seed, Forgetful::new).play().isPresent();
        }
        assertThat(isFound).isTrue();
    }

    /** A faulty journal file: a replacement of the whole file is durable, but added records never become durable. */
    private record Forgetful(MemoryFile file) implements JournalFile {
        @Override
        public List<byte[]> records() {
            return file.records();
        }

        @Override
        public void append(byte[] record) {
            file.append(record);
        }

        @Override
        public void force() {}

        @Override
        public void replace(List<byte[]> records) throws IOException {
            file.replace(records);
        }

        @Override
        public long length() {
            return file.length();
        }

        @Override
        public void close() {}
    }
}
