package dev.doyen.benchmarks.hub;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** The protocol between the clients of a crowd and a server. */
interface Dialect {

    /**
     * The role of a client. On Centrifugo, every client except a worker is present, because each client that subscribes
     * is present.
     */
    enum Part {
        /** The client receives messages and presence events, but is not present. */
        LISTENER,
        /** The client is present, and receives messages and presence events. */
        MEMBER,
        /** The client is present, but receives neither messages nor presence events. */
        WORKER,
        /** The client is a member that claims leadership whenever nobody leads. */
        CANDIDATE
    }

    /** Returns true if the clients connect over TLS. */
    default boolean usesTls() {
        return false;
    }

    /** Returns the path and query of a client's WebSocket. */
    String target(String clientId);

    /** Returns the client's side of a new conversation. */
    Protocol talk(Part part, String clientId, String channel);

    /** Returns a message with this text. {@code number} counts the client's own messages from 0. */
    String publish(Part part, String channel, long number, String text);

    /** Returns the leadership claim of a candidate that has sent no message since its entry. */
    String firstClaim(String channel);

    /** Returns true if a listener can enter later, with {@link #laterEntry}. */
    default boolean hasLaterEntry() {
        return false;
    }

    /** Returns the message with which a listener enters. The listener has sent no message before. */
    default String laterEntry(String channel, String clientId) {
        throw new UnsupportedOperationException("this protocol does not support a later entry of listeners");
    }

    /**
     * Returns the number of entries in a frame. An entry is the event that a member has entered.
     *
     * <p>The method reads bytes, because the conversion of all frames to text would take too long.
     */
    default int entriesIn(ByteBuf frame) {
        throw new UnsupportedOperationException("this protocol does not support the count of entries");
    }

    /** Splits a frame into parts. {@link Protocol} processes each part separately. */
    default List<String> parts(String frame) {
        return List.of(frame);
    }

    /** Returns the messages that a client sends before it closes normally. */
    List<String> farewell();

    /** The client's side of a conversation. Threads: one. */
    interface Protocol {

        /** Returns the messages that a client sends before it has received anything. */
        default List<String> opening() {
            return List.of();
        }

        /** Returns the answers to a text; empty if the text requires no answer. */
        List<String> received(String text);

        /** Returns true if the client is attached, and present if its role requires presence. */
        boolean isReady();

        /**
         * Returns the text of the published message in a frame; an empty string if the frame contains no published
         * message.
         */
        String messageIn(String text);

        /** Returns the new leader that this text announces; an empty string if the text announces no leader. */
        String leaderIn(String text);
    }
}
