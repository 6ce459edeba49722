package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import dev.doyen.mutants.SeededWorld;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the simulation detects each mutant of this class.
 *
 * <p>A mutant is the store with one deliberate fault. Each mutant has a first seed, which is 1 if the mutant specifies
 * no other. The test tries the first seed and the following seeds, by default {@value #MARGIN} seeds in total. At least
 * one of these seeds must detect the fault. A change of the store or of the simulation can change which seeds detect a
 * fault.
 *
 * <p>Without a fault, the simulation must succeed with all these seeds. {@link QuorumSimulationTest} with
 * {@code -Dquorum.seeds=360} tests this, because the greatest first seed is 300.
 */
@Timeout(600)
class QuorumMutantsTest {

    private static final int MARGIN = 60;
    private static final int SEEDS = Integer.getInteger("quorum.mutant.seeds", MARGIN);

    /**
     * Returns the mutants whose fault occurs without a change of members. A simulation without changes of members runs
     * faster.
     */
    static Stream<Mutant> withFixedMembers() {
        return Stream.of(
                Mutant.of(
                        "durable",
                        "a member answers before its disk has the entries",
                        "RaftJournal.java",
                        "guarded(file::force);",
                        "guarded(file::records);"),
                Mutant.of(
                        "0057",
                        "a follower with unconfirmed entries behind its snapshot refuses the leader",
                        200,
                        "IncomingMessages.java",
                        "node.handle(boundary.arrived(message, node.getTerm().getTerm()))",
                        "node.handle(message)"),
                Mutant.of(
                        "0057",
                        "a follower that asked for votes beforehand starts no election later",
                        300,
                        "ElectionCorrections.java",
                        "        electAfterAll(report);\n",
                        ""),
                Mutant.of(
                        "0057",
                        "a member keeps entries that it has already removed",
                        "Snapshots.java",
                        "lastUnneeded(log, index));",
                        "Math.max(1, index - maxKept));"),
                Mutant.of(
                        "0057",
                        "a candidate does not learn the greater term of another one",
                        250,
                        "QuorumMember.java",
                        "elections.learnTerm(message);",
                        ""));
    }

    static Stream<Mutant> withChangingMembers() {
        return Stream.of(
                Mutant.of(
                        "0060",
                        "2 of 4 voters confirm an entry",
                        "MemberList.java",
                        "voters.size() % 2 == 0",
                        "voters.size() < 0"),
                Mutant.of(
                        "0060",
                        "a snapshot meets entries and a list of members that the leader does not have",
                        140,
                        "IncomingMessages.java",
                        "installation.handle(request)",
                        "node.handle(request)"));
    }

    @ParameterizedTest
    @MethodSource("withFixedMembers")
    void three_members_detect_the_mutant(Mutant mutant) throws IOException {
        find(mutant, FixedQuorum.class);
    }

    static Stream<Mutant> withClients() {
        return Stream.of(Mutant.of(
                "unknown",
                "a client repeats a write that has no answer",
                "QuorumClient.java",
                "new Call(Frames.Request.WRITE_FOR_CLIENT, body, false)",
                "new Call(Frames.Request.WRITE_FOR_CLIENT, body, true)"));
    }

    @ParameterizedTest
    @MethodSource("withClients")
    void clients_detect_the_mutant(Mutant mutant) throws IOException {
        find(mutant, ClientQuorum.class);
    }

    @ParameterizedTest
    @MethodSource("withChangingMembers")
    void changing_members_detect_the_mutant(Mutant mutant) throws IOException {
        find(mutant, ChangingQuorum.class);
    }

    private static void find(Mutant mutant, Class<? extends SeededWorld> world) throws IOException {
        Fate fate = mutant.hunt(world, SEEDS);

        assertThat(fate.isAlive()).as(mutant + " is detected").isFalse();
        System.Logger log = System.getLogger("dev.doyen.stores.quorum");
        log.log(System.Logger.Level.INFO, mutant + ": seed " + fate.seed() + ": " + fate.by());
    }
}
