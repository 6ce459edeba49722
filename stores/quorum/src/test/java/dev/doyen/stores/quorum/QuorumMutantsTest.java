package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation finds each of these faults. The number behind a name is the first seed that shows it. A mutant is tried
 * from some seeds before that one on.
 */
@Timeout(600)
class QuorumMutantsTest {

    private static final int SEEDS = Integer.getInteger("quorum.mutant.seeds", 60);

    static Stream<Mutant> mutants() {
        return List.of(
                Mutant.of(
                        "votes",
                        "a new directory votes for the one that was lost",
                        "QuorumProcess.java",
                        "directory.equals(self.directory())",
                        "!directory.isEmpty()"),
                Mutant.of(
                        "durable",
                        "a member answers before its disk has the entries",
                        "RaftJournal.java",
                        "guarded(file::force);",
                        "guarded(file::records);"),
                Mutant.of(
                        "0057",
                        "a follower with unconfirmed entries behind its snapshot refuses the leader",
                        "QuorumMember.java",
                        "node.handle(boundary.arrived(message, node.getTerm().getTerm()))",
                        "node.handle(message)"),
                Mutant.of(
                        "0057",
                        "a follower that asked for votes beforehand starts no election later",
                        "QuorumMember.java",
                        "            electAfterAll(report);\n",
                        ""),
                Mutant.of(
                        "0058",
                        "2 of 4 voters confirm an entry",
                        "MemberList.java",
                        "voters.size() % 2 == 0",
                        "voters.size() < 0"),
                Mutant.of(
                        "0058",
                        "a member that is being removed elects itself",
                        "QuorumMember.java",
                        " || (isCandidacy(message) && !hasVote())",
                        ""),
                Mutant.of(
                        "0058",
                        "a change is made to another list than it was decided for",
                        "QuorumMember.java",
                        "memberList().equals(change.present())",
                        "isLeader()"),
                Mutant.of(
                        "0057",
                        "a candidate does not learn the greater term of another one",
                        "QuorumMember.java",
                        "                learnTerm(message);\n",
                        ""))
                .stream();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void the_simulation_finds(Mutant mutant) throws IOException {
        Fate fate = mutant.hunt(ChangingQuorum.class, SEEDS);

        assertThat(fate.isAlive()).as(mutant + " survived").isFalse();
        System.Logger log = System.getLogger("dev.doyen.stores.quorum");
        log.log(System.Logger.Level.INFO, mutant + ": seed " + fate.seed() + ": " + fate.by());
    }
}
