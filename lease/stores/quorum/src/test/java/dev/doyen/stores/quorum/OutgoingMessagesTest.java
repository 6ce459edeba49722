package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.model.message.RaftMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests which messages of MicroRaft a member sends. */
class OutgoingMessagesTest {

    private static final QuorumEndpoint SELF = new QuorumEndpoint("a", "a:7800", "1");
    private static final QuorumEndpoint OTHER = new QuorumEndpoint("b", "b:7800", "2");

    private final List<String> receivers = new ArrayList<>();

    /**
     * MicroRaft counts a candidate's vote for itself, even if the candidate is not in the member list (decision 60). So
     * a member without a vote must not request votes.
     */
    @Test
    void a_member_without_a_vote_requests_no_votes() {
        OutgoingMessages withoutVote = messages(false);
        withoutVote.send(OTHER, preVoteRequest());
        withoutVote.send(OTHER, voteRequest());
        assertThat(receivers).isEmpty();

        withoutVote.send(OTHER, voteResponse());
        assertThat(receivers).containsExactly(OTHER.address());
    }

    @Test
    void a_voter_requests_votes_but_not_from_the_placeholder() {
        OutgoingMessages voter = messages(true);
        voter.send(OTHER, preVoteRequest());
        voter.send(OTHER, voteRequest());
        voter.send(QuorumEndpoint.placeholder(""), voteRequest());
        assertThat(receivers).containsExactly(OTHER.address(), OTHER.address());
    }

    @Test
    void a_message_that_cannot_be_sent_is_dropped() {
        OutgoingMessages messages = messages(true, address -> {
            throw new OutOfMemoryError("from the test");
        });
        messages.send(OTHER, voteResponse());
        assertThat(receivers).isEmpty();
    }

    private OutgoingMessages messages(boolean hasVote) {
        return messages(hasVote, receivers::add);
    }

    private OutgoingMessages messages(boolean hasVote, Consumer<String> onSend) {
        var journal = new RaftJournal(new MemoryFile());
        return new OutgoingMessages(journal, new SnapshotBoundary(journal), new RecordingWire(onSend), () -> hasVote);
    }

    private static RaftMessage preVoteRequest() {
        return RaftBytes.MODEL
                .createPreVoteRequestBuilder()
                .setGroupId("group")
                .setSender(SELF)
                .setTerm(1)
                .setLastLogTerm(0)
                .setLastLogIndex(0)
                .build();
    }

    private static RaftMessage voteRequest() {
        return RaftBytes.MODEL
                .createVoteRequestBuilder()
                .setGroupId("group")
                .setSender(SELF)
                .setTerm(1)
                .setLastLogTerm(0)
                .setLastLogIndex(0)
                .setSticky(true)
                .build();
    }

    private static RaftMessage voteResponse() {
        return RaftBytes.MODEL
                .createVoteResponseBuilder()
                .setGroupId("group")
                .setSender(SELF)
                .setTerm(1)
                .setGranted(true)
                .build();
    }

    /** Calls a function with the address of each recipient. */
    private record RecordingWire(Consumer<String> onSend) implements Wire {

        @Override
        public void start(Receiver receiver) {}

        @Override
        public Peer peer(String address) {
            return new Peer() {
                @Override
                public void send(byte[] frame) {
                    onSend.accept(address);
                }

                @Override
                public void end() {}
            };
        }

        @Override
        public boolean isReachable(String address) {
            return true;
        }

        @Override
        public void close() {}
    }
}
