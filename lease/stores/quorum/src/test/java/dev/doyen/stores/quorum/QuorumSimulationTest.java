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
 * <p>Confirmed writes must remain, in one order. After the faults all members must work.
 */
class QuorumSimulationTest {

    /** The last seed; the first one is 1. More seeds need minutes. */
    private static final int SEEDS = Integer.getInteger("quorum.seeds", 40);

    @Test
    void under_faults_the_registers_are_linearizable_and_after_them_each_member_works() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var world = new QuorumWorld(seed, file -> file);
            assertThat(world.play()).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void the_same_while_members_are_added_removed_and_replaced() {
        int changes = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            int founders = seed % 2 == 0 ? 3 : 5;
            var world = QuorumWorld.changing(seed, founders, 2);
            assertThat(world.play()).as("seed " + seed).isEmpty();
            changes += world.changes();
        }
        assertThat(changes).as("changes that came to their end").isGreaterThan(SEEDS);
    }

    @Test
    void the_same_for_what_clients_read_and_write_through_the_members() {
        long answered = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            var world = QuorumWorld.withClients(seed, ClientQuorum.CLIENTS);
            assertThat(world.play()).as("seed " + seed).isEmpty();
            answered += world.answeredToClients();
        }
        assertThat(answered).as("answers to clients").isGreaterThan(20L * SEEDS);
    }

    /** With this seed, a member gets a snapshot while a change of members is unconfirmed in its log. */
    @Test
    void a_snapshot_replaces_a_list_of_members_that_was_never_confirmed() {
        new ChangingQuorum().run(151);
    }

    @Test
    void a_founder_that_was_removed_elects_nobody_when_it_starts_with_a_snapshot_without_it() throws IOException {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new SingleFaults(QuorumWorld.changing(seed, 3, 1)).startRemovedFounderWithSnapshot())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    /** In this world a founder loses its directory while an added member leads, whose address it does not know. */
    @Test
    void a_member_that_lost_its_directory_finds_a_leader_whose_address_it_does_not_know() {
        new ChangingQuorum().run(672);
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(new SingleFaults(QuorumWorld.changing(seed, 3, 1)).loseDirectoryUnderAddedLeader())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_member_that_was_replaced_learns_that_under_a_leader_whose_address_it_does_not_know() {
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
        assertThat(interrupted).as("worlds with an interrupted addition").isPositive();
    }

    @Test
    void a_process_that_joins_reports_that_no_leader_answers_it() {
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
    void a_member_with_a_full_disk_stops_and_the_others_go_on_until_it_comes_back() {
        for (long seed = 1; seed <= SEEDS / 10; seed++) {
            assertThat(new SingleFaults(new QuorumWorld(seed, file -> file)).fillOneDisk())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_follower_that_stands_still_costs_the_leader_neither_its_term_nor_its_speed() {
        for (long seed = 1; seed <= SEEDS / 10; seed++) {
            assertThat(new SingleFaults(new QuorumWorld(seed, file -> file)).stopOneFollower())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void a_quorum_that_cannot_be_founded_because_of_a_full_disk_reports_it() {
        var world = new QuorumWorld(1, file -> {
            file.fillUp();
            return file;
        });

        assertThat(new SingleFaults(world).refusals()).anyMatch(each -> each.contains("No space left on device"));
    }

    @Test
    void a_disk_that_confirms_what_it_does_not_keep_is_found_out() {
        boolean isFound = false;
        for (long seed = 1; seed <= 100 && !isFound; seed++) {
            isFound = new QuorumWorld(seed, Forgetful::new).play().isPresent();
        }
        assertThat(isFound).isTrue();
    }

    /** A file that makes only complete replacements durable. */
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
