package dev.doyen.benchmarks.hub;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** How a crowd's clients speak with a server: texts to send, and what those that are heard mean. */
interface Dialect {

    /** What a client is there for. */
    enum Part {
        /** Hears messages and presence, is not present. */
        LISTENER,
        /** Is present, and hears messages and presence. */
        MEMBER,
        /** Is present, and hears neither: one that only works. */
        WORKER,
        /** As a member, and claims whenever nobody leads. */
        CANDIDATE
    }

    /** Path and query of a client's WebSocket. */
    String target(String clientId);

    /** A conversation of one client, from its opening on. */
    Talk talk(Part part, String clientId, String channel);

    /** A message that carries this text. {@code number} counts the client's own, from 0. */
    String publish(Part part, String channel, long number, String text);

    /** How a candidate that is present claims the leadership, if it is the first thing it says after it has entered. */
    String firstClaim(String channel);

    /** Whether a listener can enter later, by what {@link #laterEntry} says. */
    default boolean hasLaterEntry() {
        return false;
    }

    /** How a listener enters that has said nothing so far. */
    default String laterEntry(String channel, String clientId) {
        throw new UnsupportedOperationException("listeners do not enter later here");
    }

    /** How many members a frame says have entered, by its bytes: there are too many of them to be made texts. */
    default int entriesIn(ByteBuf frame) {
        throw new UnsupportedOperationException("entries are not counted here");
    }

    /** What a client says that goes politely. */
    List<String> farewell();

    /** One client's side of its conversation. Not safe for several threads. */
    interface Talk {

        /** What is said in answer to a text, nothing if there is nothing to say. */
        List<String> heard(String text);

        /** Whether it is connected, listens, and is present if it is to be. */
        boolean isReady();

        /** The text of a published message, if this is one; empty if not. */
        String messageIn(String text);

        /** Who is said to lead now, if this says it; empty if not. */
        String leaderIn(String text);
    }
}
