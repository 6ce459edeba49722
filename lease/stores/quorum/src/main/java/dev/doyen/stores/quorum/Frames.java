package dev.doyen.stores.quorum;

import dev.doyen.store.VersionedLease;
import io.microraft.model.message.RaftMessage;
import java.util.function.ToIntFunction;

/**
 * The frames that processes send to each other: Raft messages, requests, answers and changed records. A request has a
 * number, and its answer has the same number. A process never uses a number for two requests.
 */
final class Frames {

    private static final int RAFT = 1;
    private static final int REQUEST = 2;
    private static final int ANSWER = 3;
    private static final int CHANGED = 4;

    /** Handles the frames of a connection, with one method for each kind of frame. */
    interface Cases {
        /**
         * Handles a Raft message.
         *
         * @param directory the directory id of the intended recipient; a different process possibly listens at the
         *     recipient's address now
         */
        void raft(String directory, RaftMessage message);

        void request(long number, Request request, byte[] body);

        void answer(long number, Answer answer, byte[] body);

        /** Handles a change of a record that this client watches. */
        default void changed(VersionedLease lease) {
            throw new MalformedBytesException("a changed record was sent to a process without a watch");
        }
    }

    /** The requests to a member. */
    enum Request {
        /**
         * A request to write records. The body contains writes in the format of {@link LeaseBytes}. The answer contains
         * the log index and the outcomes.
         */
        WRITE(1),
        /** A request without a body. The answer is an {@link Introduction}. */
        INTRODUCE(2),
        /** A request to join the quorum. The body is a {@link JoinRequest}. The answer is a {@link MemberStep}. */
        JOIN(3),
        /** A request for the member's status, without a body. The answer is a {@link QuorumStatus}. */
        STATUS(4),
        /** A request to change the members. The body is a {@link MemberCommand}. The answer is a {@link MemberStep}. */
        CHANGE_MEMBERS(5),
        /**
         * The first request of a client. The body contains the time limit for the answer, in milliseconds. The member
         * answers when its copy has all writes that were confirmed before the request.
         */
        CONNECT(8),
        /**
         * A request to read records. The body is a {@link ClientBytes.Read}. If not all records fit into the answer,
         * the answer contains only the records of the first elections in the request, at least one record.
         */
        READ(9),
        /**
         * A request of a client to write records. The body is a {@link ClientBytes.Write}. The answer contains the
         * outcomes.
         */
        WRITE_FOR_CLIENT(10),
        /** A request like {@link #READ}. After a later change, the member also sends the changed record. */
        WATCH(11),
        /** A request to stop the watches of the elections in the body. */
        UNWATCH(12);

        private final int code;

        Request(int code) {
            this.code = code;
        }
    }

    enum Answer {
        DONE(1),
        /**
         * The request was not and will not be executed, usually because the member does not lead. The sender can repeat
         * the request later, or send it to another member. If the request was {@link Request#JOIN} or
         * {@link Request#CHANGE_MEMBERS}, the body is the address of the known leader, or empty.
         */
        NOT_LEADER(2),
        /** The request was possibly executed, or is possibly executed later. The body is the reason, as a sentence. */
        UNKNOWN(3),
        /**
         * The request was not executed and will not be executed. The body is the reason, as a sentence. A client can
         * send the request to another member.
         */
        UNAVAILABLE(4);

        private final int code;

        Answer(int code) {
            this.code = code;
        }
    }

    private Frames() {}

    static byte[] raft(String directory, RaftMessage message) {
        var sink = new ByteSink().one(RAFT).text(directory);
        RaftMessageBytes.write(sink, message);
        return sink.bytes();
    }

    static byte[] request(long number, Request request, byte[] body) {
        return new ByteSink()
                .one(REQUEST)
                .longNumber(number)
                .one(request.code)
                .block(body)
                .bytes();
    }

    static byte[] answer(long number, Answer answer, byte[] body) {
        return new ByteSink()
                .one(ANSWER)
                .longNumber(number)
                .one(answer.code)
                .block(body)
                .bytes();
    }

    static byte[] changed(VersionedLease lease) {
        var sink = new ByteSink().one(CHANGED);
        LeaseBytes.writeLease(sink, lease);
        return sink.bytes();
    }

    static void read(byte[] frame, Cases cases) {
        var source = new ByteSource(frame);
        int kind = source.one();
        switch (kind) {
            case RAFT -> {
                String directory = source.text();
                RaftMessage message = RaftMessageBytes.read(source);
                source.end();
                cases.raft(directory, message);
            }
            case REQUEST -> {
                long number = source.longNumber();
                Request request = coded(Request.values(), each -> each.code, source.one());
                byte[] body = source.block();
                source.end();
                cases.request(number, request, body);
            }
            case ANSWER -> {
                long number = source.longNumber();
                Answer answer = coded(Answer.values(), each -> each.code, source.one());
                byte[] body = source.block();
                source.end();
                cases.answer(number, answer, body);
            }
            case CHANGED -> {
                VersionedLease lease = LeaseBytes.readLease(source);
                source.end();
                if (lease.record().isEmpty()) {
                    throw new MalformedBytesException("a changed record is absent");
                }
                cases.changed(lease);
            }
            default -> throw new MalformedBytesException("a frame is of kind " + kind);
        }
    }

    private static <T> T coded(T[] constants, ToIntFunction<T> codeOf, int code) {
        for (T each : constants) {
            if (codeOf.applyAsInt(each) == code) {
                return each;
            }
        }
        throw new MalformedBytesException("a request or an answer has the code " + code);
    }
}
