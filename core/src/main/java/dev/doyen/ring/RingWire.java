package dev.doyen.ring;

import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.Member;
import dev.doyen.membership.MessageReader;
import dev.doyen.membership.ViewId;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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

    /** The same in quorum mode, so that members of the two modes do not take part in each other's elections. */
    public static final int QUORUM_VERSION = 2;

    /** The longest message: a view, and three members, whose texts have 255 characters of three bytes each. */
    public static final int MAX_BYTES = 8 * 1024;

    /** Counters, rounds and sequences above this are refused. */
    static final long MAX_COUNT = MessageReader.MAX_COUNT;

    private static final byte ELECT = 1;
    private static final byte COMPARE = 2;
    private static final byte CHOSEN = 3;
    private static final byte ELECTED = 4;
    private static final byte BEAT = 5;
    private static final byte NACK = 6;
    private static final byte YIELD = 7;

    /** Each has the number of its place. */
    private static final List<RingOrder> ORDERS = List.of(RingOrder.OLDEST, RingOrder.LOWEST_ID, RingOrder.HIGHEST_ID);

    private RingWire() {}

    /** In AP mode. */
    public static byte[] write(RingMessage message) {
        return write(message, Optional.empty());
    }

    public static byte[] write(RingMessage message, Optional<Electorate> electorate) {
        var out = ByteBuffer.allocate(MAX_BYTES);
        try {
            out.put((byte) (electorate.isEmpty() ? VERSION : QUORUM_VERSION));
            electorate.ifPresent(voters -> out.putLong(voters.fingerprint()));
            put(out, message);
            if (electorate.isPresent() && message instanceof RingMessage.OfLeader lap) {
                out.putLong(lap.grants());
            }
        } catch (BufferOverflowException e) {
            throw new IllegalStateException("a message of the ring has more than " + MAX_BYTES + " bytes", e);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * Reads a message of AP mode.
     *
     * @throws MalformedMessageException if it is not one, with a sentence that says why
     */
    public static RingMessage read(byte[] bytes) throws MalformedMessageException {
        return read(bytes, Optional.empty());
    }

    /**
     * Reads a message.
     *
     * @param electorate the voters of the reader, none in AP mode; what comes from a member with others is refused
     * @throws MalformedMessageException if it is not one, with a sentence that says why
     */
    public static RingMessage read(byte[] bytes, Optional<Electorate> electorate) throws MalformedMessageException {
        int own = electorate.isEmpty() ? VERSION : QUORUM_VERSION;
        int other = electorate.isEmpty() ? QUORUM_VERSION : VERSION;
        if (bytes.length > 0 && bytes[0] == other) {
            throw new MalformedMessageException("it is of an election " + (electorate.isEmpty() ? "with" : "without")
                    + " voters, and this member knows of " + (electorate.isEmpty() ? "none" : "some")
                    + ": give all members the same voters");
        }
        return MessageReader.read(bytes, MAX_BYTES, own, in -> {
            if (electorate.isPresent()
                    && in.count("electorate", 0, MAX_COUNT) != electorate.get().fingerprint()) {
                throw new MalformedMessageException("it is of an election with other voters than "
                        + electorate.get().voters() + ": give all members the same");
            }
            RingMessage message = message(in);
            return electorate.isPresent() && message instanceof RingMessage.OfLeader lap
                    ? lap.grantedBy((int) in.count("grants", 0, electorate.get().all()))
                    : message;
        });
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
        } else if (message instanceof RingMessage.Yield word) {
            out.put(YIELD);
            put(out, word.view());
            out.putLong(word.round());
            put(out, word.term());
            put(out, word.heir());
        } else {
            var nack = (RingMessage.Nack) message;
            out.put(NACK);
            put(out, nack.view());
            put(out, nack.term());
        }
    }

    private static RingMessage message(MessageReader in) throws MalformedMessageException {
        byte kind = in.one();
        ViewId view = in.view();
        if (kind == NACK) {
            return new RingMessage.Nack(view, term(in));
        }
        long round = in.count("round", 0, MAX_COUNT);
        return switch (kind) {
            case ELECT -> new RingMessage.Elect(view, round, key(in), in.small("attempt"), term(in));
            case COMPARE -> new RingMessage.Compare(view, round, in.small("phase"), in.flag(), key(in), term(in));
            case CHOSEN -> new RingMessage.Chosen(view, round, in.member(), term(in));
            case ELECTED -> new RingMessage.Elected(view, round, leaderTerm(in), in.count("sequence", 1, MAX_COUNT));
            case BEAT -> new RingMessage.Beat(view, round, leaderTerm(in), in.count("sequence", 1, MAX_COUNT));
            case YIELD -> new RingMessage.Yield(view, round, leaderTerm(in), in.flag());
            default -> throw new MalformedMessageException("its kind is " + kind + "; the kinds are 1 to 7");
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

    private static void put(ByteBuffer out, Key key) {
        put(out, key.stands());
        put(out, key.incumbent());
        out.put((byte) key.priority());
        out.put((byte) ORDERS.indexOf(key.order()));
        out.putLong(key.joined());
        put(out, key.member());
    }

    private static Key key(MessageReader in) throws MalformedMessageException {
        boolean stands = in.flag();
        Term incumbent = term(in);
        int priority = in.priority("a priority");
        RingOrder order = order(in.one());
        long joined = in.count("first view", 0, MAX_COUNT);
        return new Key(stands, incumbent, priority, order, joined, in.member());
    }

    private static RingOrder order(byte number) throws MalformedMessageException {
        if (number < 0 || number >= ORDERS.size()) {
            throw new MalformedMessageException(
                    "an order is " + number + "; its bounds are 0 and " + (ORDERS.size() - 1));
        }
        return ORDERS.get(number);
    }

    /** A counter, and the creator unless it is 0. */
    private static void put(ByteBuffer out, Term term) {
        out.putLong(term.counter());
        Member creator = term.creator();
        if (creator != null) {
            put(out, creator);
        }
    }

    private static Term term(MessageReader in) throws MalformedMessageException {
        long counter = in.count("term", 0, MAX_COUNT);
        return counter == 0 ? Term.NONE : new Term(counter, in.member());
    }

    private static Term leaderTerm(MessageReader in) throws MalformedMessageException {
        Term term = term(in);
        if (term.equals(Term.NONE)) {
            throw new MalformedMessageException("what only a leader says has no term");
        }
        return term;
    }

    private static void put(ByteBuffer out, Member member) {
        put(out, member.id());
        put(out, member.incarnation());
    }

    private static void put(ByteBuffer out, boolean flag) {
        out.put((byte) (flag ? 1 : 0));
    }

    private static void put(ByteBuffer out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.putShort((short) utf8.length);
        out.put(utf8);
    }
}
