package dev.doyen.roster;

import dev.doyen.membership.ViewId;
import dev.doyen.ranking.PresenceData;
import dev.doyen.ranking.Role;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
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

    /** Numbers above this are refused: nothing that counts honestly gets there. */
    static final long MAX_COUNT = 1L << 62;

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
     * @throws MalformedRosterMessageException if it is not one, with a sentence that says why
     */
    public static RosterMessage read(byte[] bytes) throws MalformedRosterMessageException {
        if (bytes.length > MAX_BYTES) {
            throw new MalformedRosterMessageException("it has " + bytes.length + " bytes; at most " + MAX_BYTES);
        }
        var in = ByteBuffer.wrap(bytes);
        try {
            int version = in.get() & 0xff;
            if (version != VERSION) {
                throw new MalformedRosterMessageException("it is of version " + version + "; this program speaks "
                        + VERSION + ": run the same version everywhere");
            }
            RosterMessage message = message(in);
            if (in.hasRemaining()) {
                throw new MalformedRosterMessageException(in.remaining() + " bytes follow its end");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new MalformedRosterMessageException("it ends too early, after " + bytes.length + " bytes");
        } catch (IllegalArgumentException e) {
            // A name that cannot be.
            throw new MalformedRosterMessageException(String.valueOf(e.getMessage()));
        }
    }

    private static RosterMessage message(ByteBuffer in) throws MalformedRosterMessageException {
        long viewNumber = count(in, "view", MAX_COUNT);
        var view = new ViewId(viewNumber, text(in));
        long number = count(in, "number", MAX_COUNT);
        long heard = count(in, "heard number", MAX_COUNT);
        long seen = count(in, "seen term", PresenceData.MAX_TERM);
        int flags = in.get();
        if ((flags & ~(ASKS | LEADER | ELIGIBLE)) != 0) {
            throw new MalformedRosterMessageException("its flags are " + flags + "; they are 0 to 7");
        }
        long seq = count(in, "write", MAX_COUNT);
        long term = count(in, "term", PresenceData.MAX_TERM);
        int priority = in.get() & 0xff;
        if (priority > 100) {
            throw new MalformedRosterMessageException("its priority is " + priority + "; its bounds are 0 and 100");
        }
        long joined = count(in, "first view", MAX_COUNT);
        Role role = (flags & LEADER) != 0 ? Role.LEADER : Role.FOLLOWER;
        var entry = new Entry(seq, role, term, priority, (flags & ELIGIBLE) != 0, joined);
        return new RosterMessage(view, number, heard, seen, (flags & ASKS) != 0, entry);
    }

    private static String text(ByteBuffer in) throws MalformedRosterMessageException {
        int length = in.getShort() & 0xffff;
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer utf8 = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(utf8)
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedRosterMessageException("a text in it is not UTF-8");
        }
    }

    private static long count(ByteBuffer in, String what, long most) throws MalformedRosterMessageException {
        long value = in.getLong();
        if (value < 0 || value > most) {
            throw new MalformedRosterMessageException(
                    "its " + what + " is " + value + "; its bounds are 0 and " + most);
        }
        return value;
    }
}
