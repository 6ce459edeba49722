package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.RaftEndpoint;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElectionTest {

    private static final List<QuorumEndpoint> MEMBERS = List.of(member(0), member(1), member(2));

    /**
     * The first member has the longer log, so it does not vote for the second member. The second member has the
     * greater term, so it does not vote for the first member.
     */
    @Test
    void two_of_three_elect_a_leader_despite_a_longer_log_and_a_greater_term() throws IOException {
        for (long seed = 1; seed <= 20; seed++) {
            Deque<JournalFile> files = new ArrayDeque<>(List.of(file(0, 2, 3), file(1, 6, 1)));

            assertThat(new SingleFaults(new QuorumWorld(seed, file -> files.remove())).findLeader(0, 1))
                    .as("seed " + seed)
                    .isTrue();
        }
    }

    /** Returns the journal of member {@code number} in this term, with {@code entries} log entries of term 1. */
    private static MemoryFile file(int number, int term, int entries) throws IOException {
        var file = new MemoryFile();
        var journal = new RaftJournal(file);
        journal.join("group", MEMBERS);
        journal.persistAndFlushLocalEndpoint(MODEL.createRaftEndpointPersistentStateBuilder()
                .setLocalEndpoint(member(number))
                .setVoting(true)
                .build());
        journal.persistAndFlushInitialGroupMembers(MODEL.createRaftGroupMembersViewBuilder()
                .setLogIndex(0)
                .setMembers(new ArrayList<RaftEndpoint>(MEMBERS))
                .setVotingMembers(new ArrayList<RaftEndpoint>(MEMBERS))
                .build());
        journal.persistAndFlushTerm(
                MODEL.createRaftTermPersistentStateBuilder().setTerm(term).build());
        for (long index = 1; index <= entries; index++) {
            journal.persistLogEntries(List.of(MODEL.createLogEntryBuilder()
                    .setIndex(index)
                    .setTerm(1)
                    .setOperation(LeaseBytes.ofWrites(List.of()))
                    .build()));
        }
        journal.flush();
        return file;
    }

    private static QuorumEndpoint member(int number) {
        return new QuorumEndpoint("m" + number, "m" + number + ":7800", "directory 0");
    }
}
