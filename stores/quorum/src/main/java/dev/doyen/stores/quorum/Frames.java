package dev.doyen.stores.quorum;

import dev.doyen.store.VersionedLease;
import io.microraft.model.message.RaftMessage;
import java.util.function.ToIntFunction;

/**
 * The frames that processes send to each other: messages of Raft, requests, answers to requests, and changed records. The
 * number of a request is unique for its sender.
 */
final class Frames {

    private static final int RAFT = 1;
    private static final int REQUEST = 2;
    private static final int ANSWER = 3;
    private static final int CHANGED = 4;

    /** One method for each kind of frame. */
    interface Cases {
        /**
         * A message of Raft.
         *
         * @param directory for whom it is; another process may listen at the address by now
         */
        void raft(String directory, RaftMessage message);

        void request(long number, Request request, byte[] body);

        void answer(long number, Answer answer, byte[] body);

        /** A member sends a record that its client watches. */
        default void changed(VersionedLease lease) {
            throw new MalformedBytesException("a changed record was sent to a process that watches nothing");
        }
    }

    /** The requests to a member. */
    enum Request {
        /** The body holds writes, as {@link LeaseBytes} writes them. Answered by the index and the outcomes. */
        WRITE(1),
        /** No body. Answered by an {@link Introduction}. */
        INTRODUCE(2),
        /** The body is a {@link JoinRequest}. Answered by a {@link MemberStep}. */
        JOIN(3),
        /** No body. Answered by the {@link QuorumStatus} of this process. */
        STATUS(4),
        /** The body is a {@link MemberCommand}. Answered by a {@link MemberStep}. */
        CHANGE_MEMBERS(5),
        /**
         * The body holds how many milliseconds to wait. The first request of a client. Answered when the member's copy
         * has all writes that were confirmed before.
         */
        CONNECT(8),
        /** The body is {@link ClientBytes.Read}. Answered by the records of the first elections, at least of one. */
        READ(9),
        /** The body is {@link ClientBytes.Write}. Answered by the outcomes. */
        WRITE_FOR_CLIENT(10),
        /** As {@link #READ}. From now on the member also sends each change of these records. */
        WATCH(11),
        /** The body holds elections whose changes are not to be sent any more. */
        UNWATCH(12);

        private final int code;

        Request(int code) {
            this.code = code;
        }
    }

    enum Answer {
        DONE(1),
        /**
         * The request was not carried out, and will not be. Asked of another member it may be. The body of an answer to
         * {@link Request#JOIN} or {@link Request#CHANGE_MEMBERS} is the address of the leader, if the process knows it.
         */
        NOT_LEADER(2),
        /** The body is the reason as a sentence. The request may have been carried out, or may still be. */
        UNKNOWN(3),
        /**
         * The body is the reason as a sentence. The request was not carried out, and will not be. For a client another
         * member may carry it out.
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
