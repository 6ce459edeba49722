package dev.doyen.stores.quorum;

import dev.doyen.store.VersionedLease;
import io.microraft.model.message.RaftMessage;
import java.util.function.ToIntFunction;

/**
 * The frames that processes send to each other: Raft messages, requests, answers and changed records. The number of a
 * request is unique for its sender.
 */
final class Frames {

    private static final int RAFT = 1;
    private static final int REQUEST = 2;
    private static final int ANSWER = 3;
    private static final int CHANGED = 4;

    /** Handles a frame, with one method for each kind. */
    interface Cases {
        /**
         * Handles a Raft message.
         *
         * @param directory the id of the recipient's directory; a different process may listen at the address by now
         */
        void raft(String directory, RaftMessage message);

        void request(long number, Request request, byte[] body);

        void answer(long number, Answer answer, byte[] body);

        /** Handles a change of a record that this client watches. */
        default void changed(VersionedLease lease) {
            throw new MalformedBytesException("a changed record was sent to a process that watches nothing");
        }
    }

    /** The requests to a member. */
    enum Request {
        /**
         * The body contains writes in the format of {@link LeaseBytes}. The answer contains the index and the outcomes.
         */
        WRITE(1),
        /** No body. The answer is an {@link Introduction}. */
        INTRODUCE(2),
        /** The body is a {@link JoinRequest}. The answer is a {@link MemberStep}. */
        JOIN(3),
        /** No body. The answer is the {@link QuorumStatus} of the member. */
        STATUS(4),
        /** The body is a {@link MemberCommand}. The answer is a {@link MemberStep}. */
        CHANGE_MEMBERS(5),
        /**
         * The first request of a client. The body contains the time to wait, in milliseconds. The member answers when
         * its copy has all writes that were confirmed before the request.
         */
        CONNECT(8),
        /**
         * The body is a {@link ClientBytes.Read}. The answer contains the records of the first elections, at least one.
         */
        READ(9),
        /** The body is a {@link ClientBytes.Write}. The answer contains the outcomes. */
        WRITE_FOR_CLIENT(10),
        /** Like {@link #READ}, and the member then also sends each change of these records. */
        WATCH(11),
        /** The body contains elections whose changes the member must no longer send. */
        UNWATCH(12);

        private final int code;

        Request(int code) {
            this.code = code;
        }
    }

    enum Answer {
        DONE(1),
        /**
         * The request was not executed and will not be. Another member may execute it. The body of an answer to {@link
         * Request#JOIN} or {@link Request#CHANGE_MEMBERS} is the address of the leader, if the process knows it.
         */
        NOT_LEADER(2),
        /** The request may have been executed or may still be. The body is the reason, as a sentence. */
        UNKNOWN(3),
        /**
         * The request was not executed and will not be. The body is the reason, as a sentence. A client may ask another
         * member.
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
