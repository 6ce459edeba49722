package dev.doyen.stores.quorum;

import io.microraft.MembershipChangeMode;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import java.util.ArrayList;
import java.util.Optional;

/**
 * The next step of a change of members. The leader of the log decides each step.
 *
 * @param text a sentence for users about this step
 * @param change the change of the list; empty unless the kind is {@link Kind#CHANGE}
 * @param nextLeader the next leader; empty unless the kind is {@link Kind#TRANSFER}
 */
record MemberStep(Kind kind, String text, Optional<Change> change, Optional<QuorumEndpoint> nextLeader) {

    enum Kind {
        /** The change is complete. */
        DONE(1),
        /** The change is complete: the requesting process is a learner. */
        LEARNER(2),
        /** The requesting process is not a member, and no operator has added it. */
        ABSENT(3),
        /** The request is rejected. */
        REFUSED(4),
        /** The change waits for an event; for example, a process must start. The sender must repeat the request. */
        WAIT(5),
        /** This step changes the member list. The sender must repeat the request. */
        CHANGE(6),
        /** This step transfers the leadership of the log to another member. The sender must repeat the request. */
        TRANSFER(7);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Returns true if no step follows this one. */
        boolean isLast() {
            return this != WAIT && this != CHANGE && this != TRANSFER;
        }
    }

    /**
     * One change of the member list.
     *
     * @param present the list on which the decision is based
     * @param member the member that is added, promoted or removed
     */
    record Change(MemberList present, MemberList next, QuorumEndpoint member, MembershipChangeMode mode) {

        UpdateRaftGroupMembersOp operation() {
            return RaftBytes.MODEL
                    .createUpdateRaftGroupMembersOpBuilder()
                    .setMembers(new ArrayList<>(next.all()))
                    .setVotingMembers(new ArrayList<>(next.voting()))
                    .setEndpoint(member)
                    .setMode(mode)
                    .build();
        }
    }

    static MemberStep of(Kind kind, String text) {
        return new MemberStep(kind, text, Optional.empty(), Optional.empty());
    }

    static MemberStep change(String text, Change change) {
        return new MemberStep(Kind.CHANGE, text, Optional.of(change), Optional.empty());
    }

    static MemberStep transfer(QuorumEndpoint to) {
        return new MemberStep(
                Kind.TRANSFER, to.address() + " takes over as leader of the log", Optional.empty(), Optional.of(to));
    }

    /** Converts the step to bytes, without the fields that only the leader uses. */
    byte[] bytes() {
        return new ByteSink().one(kind.code).text(text).bytes();
    }

    static MemberStep read(byte[] bytes) {
        var source = new ByteSource(bytes);
        int code = source.one();
        String text = source.text();
        source.end();
        for (Kind each : Kind.values()) {
            if (each.code == code) {
                return of(each, text);
            }
        }
        throw new MalformedBytesException("a step has the code " + code);
    }
}
