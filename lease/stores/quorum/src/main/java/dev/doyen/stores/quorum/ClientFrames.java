package dev.doyen.stores.quorum;

import io.microraft.model.message.RaftMessage;

/**
 * Handles the frames that a process outside the quorum receives. The class rejects Raft messages and requests as
 * malformed. Threads: any.
 */
class ClientFrames implements Frames.Cases {

    private final Requests requests;

    ClientFrames(Requests requests) {
        this.requests = requests;
    }

    @Override
    public void raft(String directory, RaftMessage message) {
        throw new MalformedBytesException("a message of Raft was sent to a process that is not a member");
    }

    @Override
    public void request(long number, Frames.Request request, byte[] body) {
        throw new MalformedBytesException("a request was sent to a process that is not a member");
    }

    @Override
    public void answer(long number, Frames.Answer answer, byte[] body) {
        requests.answered(number, answer, body);
    }
}
