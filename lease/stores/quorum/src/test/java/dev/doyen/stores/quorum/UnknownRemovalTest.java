package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.MembershipChangeMode;
import io.microraft.model.message.RaftMessage;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Tests a process that was added and removed, and received no message about either change. */
class UnknownRemovalTest {

    private static final QuorumEndpoint REMOVED = new QuorumEndpoint("d", "d:7800", "directory of d");

    private final Queue<MemberStep> steps = new ConcurrentLinkedQueue<>();

    @Test
    void a_removed_directory_is_not_added_again() throws Exception {
        try (var members = new MembersInMemory()) {
            startProcessThatIgnoresMessages(members, leader(members).group());
            Waiting.until("the process is a learner", () -> {
                MemberList list = leader(members).members().list();
                return list.contains(REMOVED)
                        || isTried(members, list, list.withLearner(REMOVED), MembershipChangeMode.ADD_LEARNER);
            });
            assertThat(leader(members).members().hasRemovalOf(REMOVED).join()).isFalse();
            Waiting.until("the process is removed", () -> {
                MemberList list = leader(members).members().list();
                return !list.contains(REMOVED)
                        || isTried(
                                members,
                                list,
                                list.without(REMOVED, Optional.empty()),
                                MembershipChangeMode.REMOVE_MEMBER);
            });
            assertThat(leader(members).members().hasRemovalOf(REMOVED).join()).isTrue();

            MemberStep step = answerTo(members, new MemberCommand(MemberCommand.Kind.ADD, REMOVED.address(), ""));
            assertThat(step.kind()).isEqualTo(MemberStep.Kind.REFUSED);
            assertThat(step.text())
                    .isEqualTo("the process at d:7800 was a member before; start it with a new directory");
            assertThat(leader(members).members().list().contains(REMOVED)).isFalse();
        }
    }

    private static QuorumMember leader(MembersInMemory members) {
        return members.process(members.leader()).running().join();
    }

    /**
     * Attempts a change of members. Always returns false, so that the caller reads the list again. The list shows
     * whether the attempt succeeded.
     */
    private static boolean isTried(
            MembersInMemory members, MemberList present, MemberList next, MembershipChangeMode mode) {
        leader(members)
                .members()
                .change(new MemberStep.Change(present, next, REMOVED, mode))
                .handle((done, failure) -> failure == null)
                .join();
        return false;
    }

    /** Sends a command to all members. Only the leader answers with a step. */
    private MemberStep answerTo(MembersInMemory members, MemberCommand command) {
        Waiting.until("the leader answers", () -> {
            for (int i = 0; i < 3; i++) {
                members.process(i)
                        .receive(this::answered, Frames.request(1, Frames.Request.CHANGE_MEMBERS, command.bytes()));
            }
            return steps.stream().anyMatch(each -> each.kind() != MemberStep.Kind.WAIT);
        });
        return steps.stream()
                .filter(each -> each.kind() != MemberStep.Kind.WAIT)
                .findFirst()
                .orElseThrow();
    }

    /** Starts a process that answers each request with its introduction and ignores all other messages. */
    private static void startProcessThatIgnoresMessages(MembersInMemory members, String group) {
        Wire wire = members.network().wire(REMOVED.address());
        wire.start(new Wire.Receiver() {
            @Override
            public void receive(Wire.Peer from, byte[] frame) {
                Frames.read(frame, new Frames.Cases() {
                    @Override
                    public void raft(String directory, RaftMessage message) {}

                    @Override
                    public void request(long number, Frames.Request request, byte[] body) {
                        byte[] answer = new Introduction(
                                        REMOVED,
                                        group,
                                        List.of(members.endpoints().get(0)),
                                        false)
                                .bytes();
                        from.send(Frames.answer(number, Frames.Answer.DONE, answer));
                    }

                    @Override
                    public void answer(long number, Frames.Answer answer, byte[] body) {}
                });
            }

            @Override
            public void lost(String address) {}
        });
    }

    private void answered(byte[] frame) {
        Frames.read(frame, new Frames.Cases() {
            @Override
            public void raft(String directory, RaftMessage message) {}

            @Override
            public void request(long number, Frames.Request request, byte[] body) {}

            @Override
            public void answer(long number, Frames.Answer answer, byte[] body) {
                if (answer == Frames.Answer.DONE) {
                    steps.add(MemberStep.read(body));
                }
            }
        });
    }
}
