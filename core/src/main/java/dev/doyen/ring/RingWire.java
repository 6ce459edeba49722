package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Messages of the ring as bytes, and back. The form is written down in docs/spec/ring.md: a version, a kind, then fixed
 * fields, big-endian; a text is its length in two bytes and its UTF-8.
 *
 * <p>What is read is checked as if a stranger had sent it. Each message has one form only: what {@link #read} takes,
 * {@link #write} gives back byte for byte.
 */
public final class RingWire {

    /** The first byte of each message. Another one is refused: all members of a ring run versions that speak the same. */
    public static final int VERSION = 1;

    /** The longest message: a view, and three members, whose texts have 255 characters of three bytes each. */
    public static final int MAX_BYTES = 8 * 1024;

    /** Counters, rounds and sequences above this are refused: nothing that counts honestly gets there. */
    static final long MAX_COUNT = 1L << 62;

    private static final byte ELECT = 1;
    private static final byte COMPARE = 2;
    private static final byte CHOSEN = 3;
    private static final byte ELECTED = 4;
    private static final byte BEAT = 5;
    private static final byte NACK = 6;

    private RingWire() {}

    public static byte[] write(RingMessage message) {
        var out = ByteBuffer.allocate(MAX_BYTES);
        try {
            out.put((byte) VERSION);
            put(out, message);
        } catch (BufferOverflowException e) {
            throw new IllegalStateException("a message of the ring has more than " + MAX_BYTES + " bytes", e);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * Reads a message.
     *
     * @throws MalformedRingMessageException if it is not one, with a sentence that says why
     */
    public static RingMessage read(byte[] bytes) throws MalformedRingMessageException {
        if (bytes.length > MAX_BYTES) {
            throw new MalformedRingMessageException("it has " + bytes.length + " bytes; at most " + MAX_BYTES);
        }
        var in = ByteBuffer.wrap(bytes);
        try {
            int version = in.get() & 0xff;
            if (version != VERSION) {
                throw new MalformedRingMessageException("it is of version " + version + "; this program speaks "
                        + VERSION + ": run the same version everywhere");
            }
            RingMessage message = message(in);
            if (in.hasRemaining()) {
                throw new MalformedRingMessageException(in.remaining() + " bytes follow its end");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new MalformedRingMessageException("it ends too early, after " + bytes.length + " bytes");
        } catch (IllegalArgumentException e) {
            // A name or a term that cannot be.
            throw new MalformedRingMessageException(String.valueOf(e.getMessage()));
        }
    }

    private static void put(ByteBuffer out, RingMessage message) {
        if (message instanceof RingMessage.Elect elect) {
            begin(out, ELECT, elect);
            put(out, elect.key());
            out.putInt(elect.attempt());
            put(out, elect.seen());
        } else if (message instanceof RingMessage.Compare compare) {
            begin(out, COMPARE, compare);
            out.putInt(compare.phase());
            put(out, compare.second());
            put(out, compare.key());
            put(out, compare.seen());
        } else if (message instanceof RingMessage.Chosen chosen) {
            begin(out, CHOSEN, chosen);
            put(out, chosen.winner());
            put(out, chosen.seen());
        } else if (message instanceof RingMessage.OfLeader lap) {
            begin(out, lap instanceof RingMessage.Elected ? ELECTED : BEAT, lap);
            put(out, lap.term());
            out.putLong(lap.sequence());
        } else {
            var nack = (RingMessage.Nack) message;
            out.put(NACK);
            put(out, nack.view());
            put(out, nack.term());
        }
    }

    private static RingMessage message(ByteBuffer in) throws MalformedRingMessageException {
        byte kind = in.get();
        ViewId view = view(in);
        if (kind == NACK) {
            return new RingMessage.Nack(view, term(in));
        }
        long round = count(in, "round", 0);
        return switch (kind) {
            case ELECT -> new RingMessage.Elect(view, round, key(in), small(in, "attempt"), term(in));
            case COMPARE -> new RingMessage.Compare(view, round, small(in, "phase"), flag(in), key(in), term(in));
            case CHOSEN -> new RingMessage.Chosen(view, round, member(in), term(in));
            case ELECTED -> new RingMessage.Elected(view, round, leaderTerm(in), count(in, "sequence", 1));
            case BEAT -> new RingMessage.Beat(view, round, leaderTerm(in), count(in, "sequence", 1));
            default -> throw new MalformedRingMessageException("its kind is " + kind + "; the kinds are 1 to 6");
        };
    }

    private static void begin(ByteBuffer out, byte kind, RingMessage.OfRound message) {
        out.put(kind);
        put(out, message.view());
        out.putLong(message.round());
    }

    private static void put(ByteBuffer out, ViewId view) {
        out.putLong(view.number());
        put(out, view.creator());
    }

    private static ViewId view(ByteBuffer in) throws MalformedRingMessageException {
        long number = count(in, "view", 0);
        return new ViewId(number, text(in));
    }

    private static void put(ByteBuffer out, Key key) {
        put(out, key.stands());
        put(out, key.incumbent());
        out.put((byte) key.priority());
        out.putLong(key.joined());
        put(out, key.member());
    }

    private static Key key(ByteBuffer in) throws MalformedRingMessageException {
        boolean stands = flag(in);
        Term incumbent = term(in);
        int priority = in.get() & 0xff;
        if (priority > 100) {
            throw new MalformedRingMessageException("a priority is " + priority + "; its bounds are 0 and 100");
        }
        long joined = count(in, "first view", 0);
        return new Key(stands, incumbent, priority, joined, member(in));
    }

    /** A counter, and the creator unless it is 0. */
    private static void put(ByteBuffer out, Term term) {
        out.putLong(term.counter());
        Member creator = term.creator();
        if (creator != null) {
            put(out, creator);
        }
    }

    private static Term term(ByteBuffer in) throws MalformedRingMessageException {
        long counter = count(in, "term", 0);
        return counter == 0 ? Term.NONE : new Term(counter, member(in));
    }

    private static Term leaderTerm(ByteBuffer in) throws MalformedRingMessageException {
        Term term = term(in);
        if (term.equals(Term.NONE)) {
            throw new MalformedRingMessageException("a lap has no term");
        }
        return term;
    }

    private static void put(ByteBuffer out, Member member) {
        put(out, member.id());
        put(out, member.incarnation());
    }

    private static Member member(ByteBuffer in) throws MalformedRingMessageException {
        String id = text(in);
        return new Member(id, text(in));
    }

    private static void put(ByteBuffer out, boolean flag) {
        out.put((byte) (flag ? 1 : 0));
    }

    private static boolean flag(ByteBuffer in) throws MalformedRingMessageException {
        byte flag = in.get();
        if (flag != 0 && flag != 1) {
            throw new MalformedRingMessageException("a yes or no is " + flag + "; it is 0 or 1");
        }
        return flag == 1;
    }

    private static void put(ByteBuffer out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.putShort((short) utf8.length);
        out.put(utf8);
    }

    private static String text(ByteBuffer in) throws MalformedRingMessageException {
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
            throw new MalformedRingMessageException("a text in it is not UTF-8");
        }
    }

    private static int small(ByteBuffer in, String what) throws MalformedRingMessageException {
        int value = in.getInt();
        if (value < 1) {
            throw new MalformedRingMessageException("its " + what + " is " + value + "; it is counted from 1");
        }
        return value;
    }

    private static long count(ByteBuffer in, String what, long least) throws MalformedRingMessageException {
        long value = in.getLong();
        if (value < least || value > MAX_COUNT) {
            throw new MalformedRingMessageException(
                    "its " + what + " is " + value + "; its bounds are " + least + " and " + MAX_COUNT);
        }
        return value;
    }
}
