package dev.doyen.stores.quorum;

import io.microraft.model.message.RaftMessage;
import java.util.List;
import java.util.Random;

/**
 * A simulated operator who adds, removes and replaces members of a {@link QuorumWorld}, and often stops before a change
 * is complete. A member that was removed gets a new directory.
 */
final class WorldOperator {

    private final QuorumWorld world;
    private final Random random;
    private long begun;

    /** The number of the command that has not ended yet; 0 if no command is open. */
    private long open;

    private long until;
    private long number;
    private int finished;

    WorldOperator(QuorumWorld world, Random random) {
        this.world = world;
        this.random = random;
    }

    boolean isIdle() {
        return open == 0;
    }

    /** Returns the number of commands that have succeeded. */
    int finished() {
        return finished;
    }

    void act() {
        world.members().stream().filter(WorldMember::isRemoved).forEach(WorldMember::reset);
        if (open == 0 && world.isNoneLost() && random.nextInt(4) == 0) {
            carryOut(command(), random.nextInt(10_000));
        }
    }

    /** Repeats a request for a change until the change has ended or this time has passed. */
    void carryOut(MemberCommand command, long millis) {
        open = ++begun;
        until = world.now() + millis;
        sendRequest(command, open);
    }

    void giveUp() {
        open = 0;
    }

    private MemberCommand command() {
        List<WorldMember> all = world.members();
        String one = all.get(random.nextInt(all.size())).address();
        String other = all.get(random.nextInt(all.size())).address();
        return switch (random.nextInt(6)) {
            case 0, 1 -> new MemberCommand(MemberCommand.Kind.ADD, one, "");
            case 2 -> new MemberCommand(MemberCommand.Kind.ADD_LEARNER, one, "");
            case 3 -> new MemberCommand(MemberCommand.Kind.REMOVE, one, "");
            default -> new MemberCommand(MemberCommand.Kind.REPLACE, one, other);
        };
    }

    private void sendRequest(MemberCommand command, long which) {
        if (open != which) {
            return;
        }
        if (world.now() > until) {
            open = 0;
            return;
        }
        WorldMember target = world.members().get(random.nextInt(world.members().size()));
        byte[] frame = Frames.request(++number, Frames.Request.CHANGE_MEMBERS, command.bytes());
        target.later(
                target.incarnation(),
                1 + random.nextInt(5),
                () -> target.receive(receiver -> receiver.receive(answer -> answered(which, answer), frame)));
        world.after(50, () -> sendRequest(command, which));
    }

    private void answered(long which, byte[] frame) {
        Frames.read(frame, new Frames.Cases() {
            @Override
            public void raft(String directory, RaftMessage message) {}

            @Override
            public void request(long requestNumber, Frames.Request request, byte[] body) {}

            @Override
            public void answer(long requestNumber, Frames.Answer answer, byte[] body) {
                if (answer == Frames.Answer.DONE && open == which) {
                    MemberStep step = MemberStep.read(body);
                    if (step.kind().isLast()) {
                        open = 0;
                        finished += step.kind() == MemberStep.Kind.DONE ? 1 : 0;
                    }
                }
            }
        });
    }
}
