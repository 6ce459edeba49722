package dev.doyen.roster;

import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.MessageReader;
import dev.doyen.membership.ViewId;
import dev.doyen.ranking.PresenceData;
import dev.doyen.ranking.Role;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Messages of a roster as bytes, and back. The form is written down in docs/spec/ranking.md: a version, then fixed fields,
 * big-endian; a text is its length in two bytes and its UTF-8.
 *
 * <p>What is read is checked as if a stranger had sent it. Each message has one form only: what {@link #read} takes,
 * {@link #write} gives back byte for byte.
 */
public final class RosterWire {

    /** The first byte of each message. Another one is refused: all members run versions that speak the same. */
    public static final int VERSION = 1;

    /** More than the longest message: its fixed fields, and a creator's name of 255 characters of three bytes each. */
    public static final int MAX_BYTES = 2 * 1024;

    private static final int FIXED = 1 + 8 + 2 + 3 * 8 + 1 + 8 + 8 + 1 + 8;

    private static final int ASKS = 1;
    private static final int LEADER = 2;
    private static final int ELIGIBLE = 4;

    private RosterWire() {}

    public static byte[] write(RosterMessage message) {
        byte[] creator = message.view().creator().getBytes(StandardCharsets.UTF_8);
        Entry entry = message.entry();
        int flags = (message.asks() ? ASKS : 0)
                | (entry.role() == Role.LEADER ? LEADER : 0)
                | (entry.eligible() ? ELIGIBLE : 0);
        return ByteBuffer.allocate(FIXED + creator.length)
                .put((byte) VERSION)
                .putLong(message.view().number())
                .putShort((short) creator.length)
                .put(creator)
                .putLong(message.number())
                .putLong(message.heard())
                .putLong(message.seen())
                .put((byte) flags)
                .putLong(entry.seq())
                .putLong(entry.term())
                .put((byte) entry.priority())
                .putLong(entry.joined())
                .array();
    }

    /**
     * Reads a message.
     *
     * @throws MalformedMessageException if it is not one, with a sentence that says why
     */
    public static RosterMessage read(byte[] bytes) throws MalformedMessageException {
        return MessageReader.read(bytes, MAX_BYTES, VERSION, RosterWire::message);
    }

    private static RosterMessage message(MessageReader in) throws MalformedMessageException {
        ViewId view = in.view();
        long number = in.count("number", 0, MessageReader.MAX_COUNT);
        long heard = in.count("heard number", 0, MessageReader.MAX_COUNT);
        long seen = in.count("seen term", 0, PresenceData.MAX_TERM);
        int flags = in.one();
        if ((flags & ~(ASKS | LEADER | ELIGIBLE)) != 0) {
            throw new MalformedMessageException("its flags are " + flags + "; they are 0 to 7");
        }
        long seq = in.count("write", 0, MessageReader.MAX_COUNT);
        long term = in.count("term", 0, PresenceData.MAX_TERM);
        int priority = in.priority("its priority");
        long joined = in.count("first view", 0, MessageReader.MAX_COUNT);
        Role role = (flags & LEADER) != 0 ? Role.LEADER : Role.FOLLOWER;
        var entry = new Entry(seq, role, term, priority, (flags & ELIGIBLE) != 0, joined);
        return new RosterMessage(view, number, heard, seen, (flags & ASKS) != 0, entry);
    }
}
