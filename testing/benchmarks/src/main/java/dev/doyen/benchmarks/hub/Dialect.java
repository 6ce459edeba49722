package dev.doyen.benchmarks.hub;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** The protocol between the clients of a crowd and a server. */
interface Dialect {

    /** The part of a client. */
    enum Part {
        /** Receives messages and presence, but is not present. */
        LISTENER,
        /** Is present, and receives messages and presence. */
        MEMBER,
        /** Is present, but receives neither. */
        WORKER,
        /** A member that claims leadership whenever nobody leads. */
        CANDIDATE
    }

    /** Returns the path and query of a client's WebSocket. */
    String target(String clientId);

    /** Returns the conversation of a new client. */
    Talk talk(Part part, String clientId, String channel);

    /** Returns a message with this text. {@code number} counts the client's own messages from 0. */
    String publish(Part part, String channel, long number, String text);

    /** Returns the claim that is the first message of a candidate after it has entered. */
    String firstClaim(String channel);

    /** Returns whether a listener can enter later, with {@link #laterEntry}. */
    default boolean hasLaterEntry() {
        return false;
    }

    /** Returns the message with which a listener enters that has sent nothing so far. */
    default String laterEntry(String channel, String clientId) {
        throw new UnsupportedOperationException("listeners do not enter later here");
    }

    /**
     * Returns the number of entries in a frame. It reads bytes, because there are too many frames to make texts of
     * them.
     */
    default int entriesIn(ByteBuf frame) {
        throw new UnsupportedOperationException("entries are not counted here");
    }

    /** Returns the messages of a client that closes normally. */
    List<String> farewell();

    /** One client's side of its conversation. Threads: one. */
    interface Talk {

        /** Returns the answers to a text; empty if there is none. */
        List<String> heard(String text);

        /** Returns whether the client is connected, receives, and is present if its part requires it. */
        boolean isReady();

        /** Returns the text of a published message, or an empty string. */
        String messageIn(String text);

        /** Returns the new leader that this text announces, or an empty string. */
        String leaderIn(String text);
    }
}
