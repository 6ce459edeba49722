package dev.doyen.stores.quorum;

import io.microraft.MembershipChangeMode;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import java.util.ArrayList;
import java.util.Optional;

/**
 * The next step of a change of members. The leader of the log decides it.
 *
 * @param text a sentence for users
 * @param change the new list; only for {@link Kind#CHANGE}
 * @param nextLeader the next leader; only for {@link Kind#TRANSFER}
 */
record MemberStep(Kind kind, String text, Optional<Change> change, Optional<QuorumEndpoint> nextLeader) {

    enum Kind {
        /** Nothing is left to do. */
        DONE(1),
        /** Nothing is left to do: the requesting process is a learner. */
        LEARNER(2),
        /** The requesting process is not a member, and no operator has added it. */
        ABSENT(3),
        /** The request is rejected. */
        REFUSED(4),
        /** Something must happen first; for example, a process must start. Repeat the request. */
        WAIT(5),
        /** The member list changes. Repeat the request. */
        CHANGE(6),
        /** Another member must lead. Repeat the request. */
        TRANSFER(7);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Returns whether the request ends with this step. */
        boolean isLast() {
            return this != WAIT && this != CHANGE && this != TRANSFER;
        }
    }

    /**
     * One change of the list.
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

    /** Converts the step to bytes, without the fields that only the leader needs. */
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
