package dev.doyen.ring;

import dev.doyen.event.SavedState;
import dev.doyen.group.settings.RingOrder;
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
 * Encodes and decodes the messages of the ring, as docs/spec/ring.md defines them.
 *
 * <p>The decoder treats every input as untrusted. Each message has exactly one encoding: {@link #write} encodes the
 * result of {@link #read} as the same bytes. A message consists of a version, a kind, and the fields of this kind.
 * Numbers are big-endian.
 */
public final class RingWire {

    /**
     * The first byte of each message. All members of a ring must use the same version.
     *
     * <p>A member rejects a message of another version.
     */
    public static final int VERSION = 3;

    /**
     * The maximum number of bytes without a saved state. The longest such message contains a view id and five members.
     * Each text in them, such as a member's id, has at most 255 characters, and a character has at most 3 bytes.
     */
    private static final int MAX_FIELD_BYTES = 12 * 1024;

    /** The maximum number of bytes of a message. */
    public static final int MAX_BYTES = MAX_FIELD_BYTES + SavedState.MAX_BYTES;

    /** The greatest counter, round or sequence that the decoder accepts. */
    static final long MAX_COUNT = MessageReader.MAX_COUNT;

    private static final byte ELECT = 1;
    private static final byte COMPARE = 2;
    private static final byte CHOSEN = 3;
    private static final byte ELECTED = 4;
    private static final byte BEAT = 5;
    private static final byte NACK = 6;
    private static final byte YIELD = 7;
    private static final byte STATE_REQUEST = 8;
    private static final byte STATE_RESPONSE = 9;

    /** The orders. A message contains the index of an order in this list. */
    private static final List<RingOrder> ORDERS = List.of(RingOrder.OLDEST, RingOrder.LOWEST_ID, RingOrder.HIGHEST_ID);

    private RingWire() {}

    public static byte[] write(RingMessage message) {
        var out = ByteBuffer.allocate(MAX_FIELD_BYTES + stateOf(message).length());
        try {
            out.put((byte) VERSION);
            put(out, message);
        } catch (BufferOverflowException e) {
            throw new IllegalStateException("a message of the ring has more than " + MAX_BYTES + " bytes", e);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * Decodes a message.
     *
     * @throws MalformedMessageException if the bytes are not a message; the exception's message states the reason
     */
    public static RingMessage read(byte[] bytes) throws MalformedMessageException {
        return MessageReader.read(bytes, MAX_BYTES, VERSION, RingWire::message);
    }

    private static SavedState stateOf(RingMessage message) {
        if (message instanceof RingMessage.OfLeader heartbeat) {
            return heartbeat.saved().map(VersionedState::state).orElse(SavedState.EMPTY);
        }
        return message instanceof RingMessage.StateResponse response
                ? response.saved().state()
                : SavedState.EMPTY;
    }

    private static void put(ByteBuffer out, RingMessage message) {
        if (message instanceof RingMessage.Elect elect) {
            begin(out, ELECT, elect);
            put(out, elect.key());
            out.putInt(elect.attempt());
            put(out, elect.passed());
        } else if (message instanceof RingMessage.Compare compare) {
            begin(out, COMPARE, compare);
            out.putInt(compare.phase());
            put(out, compare.second());
            put(out, compare.key());
            put(out, compare.passed());
        } else if (message instanceof RingMessage.Chosen chosen) {
            begin(out, CHOSEN, chosen);
            put(out, chosen.winner());
            put(out, chosen.passed());
        } else if (message instanceof RingMessage.OfLeader heartbeat) {
            begin(out, heartbeat instanceof RingMessage.Elected ? ELECTED : BEAT, heartbeat);
            put(out, heartbeat.term());
            out.putLong(heartbeat.sequence());
            put(out, heartbeat.saved().isPresent());
            heartbeat.saved().ifPresent(saved -> {
                out.putLong(saved.id().version());
                put(out, saved.state());
            });
        } else if (message instanceof RingMessage.Yield handover) {
            out.put(YIELD);
            put(out, handover.view());
            out.putLong(handover.round());
            put(out, handover.term());
        } else if (message instanceof RingMessage.StateRequest request) {
            out.put(STATE_REQUEST);
            put(out, request.view());
        } else if (message instanceof RingMessage.StateResponse response) {
            out.put(STATE_RESPONSE);
            put(out, response.view());
            put(out, response.saved().id());
            put(out, response.saved().state());
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
        return switch (kind) {
            case NACK -> new RingMessage.Nack(view, term(in));
            case STATE_REQUEST -> new RingMessage.StateRequest(view);
            case STATE_RESPONSE -> new RingMessage.StateResponse(view, new VersionedState(id(in), state(in)));
            default -> ofRound(kind, view, in);
        };
    }

    private static RingMessage ofRound(byte kind, ViewId view, MessageReader in) throws MalformedMessageException {
        long round = in.count("round", 0, MAX_COUNT);
        return switch (kind) {
            case ELECT -> new RingMessage.Elect(view, round, key(in), in.small("attempt"), passed(in));
            case COMPARE -> new RingMessage.Compare(view, round, in.small("phase"), in.flag(), key(in), passed(in));
            case CHOSEN -> new RingMessage.Chosen(view, round, in.member(), passed(in));
            case ELECTED -> {
                Term term = leaderTerm(in);
                yield new RingMessage.Elected(view, round, term, sequence(in), savedIn(term, in));
            }
            case BEAT -> {
                Term term = leaderTerm(in);
                yield new RingMessage.Heartbeat(view, round, term, sequence(in), savedIn(term, in));
            }
            case YIELD -> new RingMessage.Yield(view, round, leaderTerm(in));
            default -> throw new MalformedMessageException("its kind is " + kind + "; the kinds are 1 to 9");
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
        put(out, key.campaigns());
        put(out, key.incumbent());
        out.put((byte) key.priority());
        out.put((byte) ORDERS.indexOf(key.order()));
        out.putLong(key.joined());
        put(out, key.member());
    }

    private static Key key(MessageReader in) throws MalformedMessageException {
        boolean campaigns = in.flag();
        Term incumbent = term(in);
        int priority = in.priority("a priority");
        RingOrder order = order(in.one());
        long joined = in.count("first view", 0, MAX_COUNT);
        return new Key(campaigns, incumbent, priority, order, joined, in.member());
    }

    private static RingOrder order(byte number) throws MalformedMessageException {
        if (number < 0 || number >= ORDERS.size()) {
            throw new MalformedMessageException(
                    "an order is " + number + "; its bounds are 0 and " + (ORDERS.size() - 1));
        }
        return ORDERS.get(number);
    }

    private static void put(ByteBuffer out, Passed passed) {
        put(out, passed.term());
        put(out, passed.newest().id());
        Member holder = passed.newest().holder();
        if (holder != null) {
            put(out, holder);
        }
    }

    private static Passed passed(MessageReader in) throws MalformedMessageException {
        Term term = term(in);
        VersionedState.Id newest = id(in);
        return new Passed(
                term,
                newest.equals(VersionedState.Id.NONE)
                        ? VersionedState.Location.NONE
                        : new VersionedState.Location(newest, in.member()));
    }

    /**
     * Writes the id of a saved state: its term and its version. The id {@link VersionedState.Id#NONE} has no version.
     */
    private static void put(ByteBuffer out, VersionedState.Id id) {
        put(out, id.term());
        if (!id.equals(VersionedState.Id.NONE)) {
            out.putLong(id.version());
        }
    }

    private static VersionedState.Id id(MessageReader in) throws MalformedMessageException {
        Term term = term(in);
        return term.equals(Term.NONE) ? VersionedState.Id.NONE : new VersionedState.Id(term, version(in));
    }

    private static Optional<VersionedState> savedIn(Term term, MessageReader in) throws MalformedMessageException {
        return in.flag()
                ? Optional.of(new VersionedState(new VersionedState.Id(term, version(in)), state(in)))
                : Optional.empty();
    }

    private static long version(MessageReader in) throws MalformedMessageException {
        return in.count("version", 0, MAX_COUNT);
    }

    private static long sequence(MessageReader in) throws MalformedMessageException {
        return in.count("sequence", 1, MAX_COUNT);
    }

    private static void put(ByteBuffer out, SavedState state) {
        byte[] bytes = state.bytes();
        out.putInt(bytes.length);
        out.put(bytes);
    }

    private static SavedState state(MessageReader in) throws MalformedMessageException {
        return SavedState.of(in.bytes("saved state", SavedState.MAX_BYTES));
    }

    /** Writes a term: its counter, and its creator unless the counter is 0. */
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
            throw new MalformedMessageException("a message that only a leader sends has no term");
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
