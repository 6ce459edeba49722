package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.ViewId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the encoding that docs/spec/ring.md defines for messages. */
class RingWireTest {

    private static final Member A = new Member("a", "1");
    private static final ViewId VIEW = new ViewId(3, "a/1");
    private static final Term TERM = new Term(7, A);
    private static final VersionedState.Id STATE = new VersionedState.Id(TERM, 4);
    private static final Key KEY = new Key(true, TERM, 50, RingOrder.LOWEST_ID, 2, A);

    @Test
    void a_message_has_this_form() {
        assertThat(hex(heartbeat("hi")))
                .isEqualTo("03" + "05" // version, kind
                        + "0000000000000003" + "0003" + "612f31" // view: number, creator
                        + "0000000000000002" // round
                        + "0000000000000007" + "0001" + "61" + "0001" + "31" // term: counter, id, incarnation
                        + "0000000000000009" // sequence
                        + "01" + "0000000000000004" // a saved state, its version
                        + "00000002" + "6869"); // its length, its bytes
        assertThat(hex(new RingMessage.StateRequest(VIEW)))
                .isEqualTo("03" + "08" + "0000000000000003" + "0003" + "612f31");
        assertThat(hex(new RingMessage.StateResponse(VIEW, new VersionedState(STATE, SavedState.ofText("hi")))))
                .isEqualTo("03" + "09" + "0000000000000003" + "0003" + "612f31"
                        + "0000000000000007" + "0001" + "61" + "0001" + "31" // term
                        + "0000000000000004" // version
                        + "00000002" + "6869"); // its length, its bytes
        Passed passed = new Passed(TERM, new VersionedState.Location(STATE, A));
        assertThat(hex(new RingMessage.Chosen(VIEW, 2, A, passed)))
                .isEqualTo("03" + "03" + "0000000000000003" + "0003" + "612f31" + "0000000000000002"
                        + "0001" + "61" + "0001" + "31" // winner
                        + "0000000000000007" + "0001" + "61" + "0001" + "31" // greatest term
                        + "0000000000000007" + "0001" + "61" + "0001" + "31" // newest state: term
                        + "0000000000000004" // version
                        + "0001" + "61" + "0001" + "31"); // the member that stores it
        assertThat(hex(new RingMessage.Elect(VIEW, 0, KEY, 1, Passed.NOTHING)))
                .isEqualTo("03" + "01" + "0000000000000003" + "0003" + "612f31" + "0000000000000000"
                        + "01" // campaigns
                        + "0000000000000007" + "0001" + "61" + "0001" + "31" // the term in which it leads
                        + "32" + "01" // priority, order
                        + "0000000000000002" + "0001" + "61" + "0001" + "31" // first view, member
                        + "00000001" // attempt
                        + "0000000000000000" // no term seen
                        + "0000000000000000"); // no saved state
    }

    @Test
    void every_message_is_read_as_it_was_written() throws MalformedMessageException {
        for (int seed = 0; seed < 2_000; seed++) {
            RingMessage message = any(new Random(seed));
            assertThat(RingWire.read(RingWire.write(message)))
                    .as("seed " + seed)
                    .isEqualTo(message);
        }
    }

    @Test
    void the_longest_names_fit() throws MalformedMessageException {
        var longest = new Member("\uffee".repeat(255), "\uffee".repeat(255));
        var term = new Term(RingWire.MAX_COUNT, longest);
        var message = new RingMessage.Elect(
                new ViewId(RingWire.MAX_COUNT, "\uffee".repeat(255)),
                1,
                new Key(true, term, 100, RingOrder.HIGHEST_ID, 1, longest),
                1,
                new Passed(
                        term, new VersionedState.Location(new VersionedState.Id(term, RingWire.MAX_COUNT), longest)));
        assertThat(RingWire.read(RingWire.write(message))).isEqualTo(message);
    }

    @Test
    void the_longest_state_fits_and_a_longer_one_is_rejected() throws MalformedMessageException {
        var longest = new Member("\uffee".repeat(255), "\uffee".repeat(255));
        var id = new VersionedState.Id(new Term(RingWire.MAX_COUNT, longest), RingWire.MAX_COUNT);
        var view = new ViewId(RingWire.MAX_COUNT, "\uffee".repeat(255));
        byte[] most = new byte[SavedState.MAX_BYTES];
        Arrays.fill(most, (byte) 7);
        var message = new RingMessage.StateResponse(view, new VersionedState(id, SavedState.of(most)));
        byte[] written = RingWire.write(message);
        assertThat(RingWire.read(written)).isEqualTo(message);
        assertThat(RingWire.MAX_BYTES).isLessThanOrEqualTo(Membership.MAX_MESSAGE_BYTES);

        byte[] longer = Arrays.copyOf(written, written.length + 1);
        longer[written.length - most.length - 1]++;
        refused(longer, "its saved state has 65537 bytes; its bounds are 0 and 65536");
        byte[] negative = written.clone();
        negative[written.length - most.length - 4] = -1;
        refused(negative, "its saved state has 4278255616 bytes; its bounds are 0 and 65536");
    }

    @Test
    void changed_bytes_are_rejected_or_one_valid_message() {
        int taken = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            var random = new Random(seed);
            byte[] bytes = changed(RingWire.write(any(random)), random);
            try {
                assertThat(RingWire.write(RingWire.read(bytes)))
                        .as("seed " + seed)
                        .isEqualTo(bytes);
                taken++;
            } catch (MalformedMessageException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
        assertThat(taken).as("enough changed inputs are valid messages").isGreaterThan(100);
    }

    @Test
    void malformed_messages_are_rejected_with_a_sentence() {
        byte[] good = RingWire.write(new RingMessage.Heartbeat(VIEW, 2, TERM, 9, Optional.empty()));
        refused(new byte[0], "it ends too early, after 0 bytes");
        refused(with(good, 0, 1), "it is of version 1; this program uses 3: run the same version everywhere");
        refused(with(good, 1, 10), "its kind is 10; the kinds are 1 to 9");
        refused(with(good, 2, 0x80), "its view is -9223372036854775805; its bounds are 0 and 4611686018427387904");
        refused(with(good, 12, 0xff), "a text in it is not UTF-8");
        refused(
                with(good, 12, 7),
                "view creator has the character U+0007 at index 0;"
                        + " control characters and lone surrogates are not allowed");
        refused(with(good, good.length - 1, 2), "a boolean is 2; it is 0 or 1");
        refused(with(good, good.length - 2, 0), "its sequence is 0; its bounds are 1 and 4611686018427387904");
        refused(Arrays.copyOf(good, good.length + 1), "1 bytes follow its end");
        refused(Arrays.copyOf(good, good.length - 1), "it ends too early, after " + (good.length - 1) + " bytes");
        refused(new byte[RingWire.MAX_BYTES + 1], "it has 77825 bytes; at most 77824");
        byte[] elect = RingWire.write(new RingMessage.Elect(VIEW, 0, KEY, 1, Passed.NOTHING));
        refused(with(elect, 23, 2), "a boolean is 2; it is 0 or 1");
        refused(with(elect, 38, 101), "a priority is 101; its bounds are 0 and 100");
        refused(with(elect, 39, 3), "an order is 3; its bounds are 0 and 2");
    }

    private static void refused(byte[] bytes, String sentence) {
        assertThatThrownBy(() -> RingWire.read(bytes))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage(sentence);
    }

    private static byte[] with(byte[] bytes, int at, int value) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) value;
        return changed;
    }

    private static byte[] changed(byte[] bytes, Random random) {
        byte[] changed = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 3)) : bytes;
        for (int i = random.nextInt(3); i > 0 && changed.length > 0; i--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        return changed;
    }

    private static RingMessage any(Random random) {
        var view = new ViewId(random.nextInt(1_000), text(random));
        long round = random.nextInt(100);
        Term term = term(random);
        Term ofLeader = new Term(1 + round, member(random));
        long sequence = 1L + random.nextInt(9);
        return switch (random.nextInt(9)) {
            case 0 -> new RingMessage.Elect(view, round, key(random), 1 + random.nextInt(9), passed(random));
            case 1 ->
                new RingMessage.Compare(
                        view, round, 1 + random.nextInt(9), random.nextBoolean(), key(random), passed(random));
            case 2 -> new RingMessage.Chosen(view, round, member(random), passed(random));
            case 3 -> new RingMessage.Elected(view, round, ofLeader, sequence, saved(ofLeader, random));
            case 4 -> new RingMessage.Heartbeat(view, round, ofLeader, sequence, saved(ofLeader, random));
            case 5 -> new RingMessage.Yield(view, round, ofLeader);
            case 6 -> new RingMessage.StateRequest(view);
            case 7 -> new RingMessage.StateResponse(view, new VersionedState(id(random), state(random)));
            default -> new RingMessage.Nack(view, term);
        };
    }

    private static RingMessage.Heartbeat heartbeat(String state) {
        return new RingMessage.Heartbeat(
                VIEW, 2, TERM, 9, Optional.of(new VersionedState(STATE, SavedState.ofText(state))));
    }

    private static Passed passed(Random random) {
        VersionedState.Id id = id(random);
        return new Passed(
                term(random),
                id.equals(VersionedState.Id.NONE)
                        ? VersionedState.Location.NONE
                        : new VersionedState.Location(id, member(random)));
    }

    private static VersionedState.Id id(Random random) {
        Term term = term(random);
        return term.equals(Term.NONE) ? VersionedState.Id.NONE : new VersionedState.Id(term, random.nextInt(9));
    }

    private static Optional<VersionedState> saved(Term term, Random random) {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new VersionedState(new VersionedState.Id(term, random.nextInt(9)), state(random)));
    }

    private static SavedState state(Random random) {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return SavedState.of(bytes);
    }

    private static Key key(Random random) {
        return new Key(
                random.nextBoolean(),
                term(random),
                random.nextInt(101),
                List.of(RingOrder.values()).get(random.nextInt(3)),
                random.nextInt(1_000),
                member(random));
    }

    private static Term term(Random random) {
        return random.nextInt(3) == 0 ? Term.NONE : new Term(1 + random.nextInt(1_000), member(random));
    }

    private static Member member(Random random) {
        return new Member(text(random), text(random));
    }

    private static String text(Random random) {
        List<String> letters = List.of("a", "b", "/", "\u00e9", "\uffee", "\ud83d\ude00", " ");
        var text = new StringBuilder("m");
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(letters.get(random.nextInt(letters.size())));
        }
        return text.toString();
    }

    private static String hex(RingMessage message) {
        return HexFormat.of().formatHex(RingWire.write(message));
    }
}
