package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The form on the wire that docs/spec/ring.md describes. */
class RingWireTest {

    private static final Member A = new Member("a", "1");
    private static final ViewId VIEW = new ViewId(3, "a/1");
    private static final Term TERM = new Term(7, A);
    private static final Key KEY = new Key(true, TERM, 50, RingOrder.LOWEST_ID, 2, A);

    @Test
    void a_message_has_this_form() {
        assertThat(hex(new RingMessage.Beat(VIEW, 2, TERM, 9)))
                .isEqualTo("01" + "05" // version, kind
                        + "0000000000000003" + "0003" + "612f31" // view: number, creator
                        + "0000000000000002" // round
                        + "0000000000000007" + "0001" + "61" + "0001" + "31" // term: counter, id, incarnation
                        + "0000000000000009"); // sequence
        assertThat(hex(new RingMessage.Elect(VIEW, 0, KEY, 1, Term.NONE)))
                .isEqualTo("01" + "01" + "0000000000000003" + "0003" + "612f31" + "0000000000000000"
                        + "01" // stands
                        + "0000000000000007" + "0001" + "61" + "0001" + "31" // leads in
                        + "32" + "01" // priority, order
                        + "0000000000000002" + "0001" + "61" + "0001" + "31" // first view, member
                        + "00000001" // attempt
                        + "0000000000000000"); // no term seen
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
                term);
        assertThat(RingWire.read(RingWire.write(message))).isEqualTo(message);
    }

    @Test
    void bytes_that_were_changed_are_refused_or_mean_one_message() {
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
        assertThat(taken)
                .as("some changes must still be a message, or the test sees nothing")
                .isGreaterThan(100);
    }

    @Test
    void what_is_no_message_is_refused_with_a_sentence() {
        byte[] good = RingWire.write(new RingMessage.Beat(VIEW, 2, TERM, 9));
        refused(new byte[0], "it ends too early, after 0 bytes");
        refused(with(good, 0, 3), "it is of version 3; this program speaks 1: run the same version everywhere");
        refused(with(good, 1, 9), "its kind is 9; the kinds are 1 to 7");
        refused(with(good, 2, 0x80), "its view is -9223372036854775805; its bounds are 0 and 4611686018427387904");
        refused(with(good, 12, 0xff), "a text in it is not UTF-8");
        refused(
                with(good, 12, 7),
                "view creator has the character U+0007 at index 0;"
                        + " control characters and lone surrogates are not allowed");
        refused(with(good, good.length - 1, 0), "its sequence is 0; its bounds are 1 and 4611686018427387904");
        refused(Arrays.copyOf(good, good.length + 1), "1 bytes follow its end");
        refused(Arrays.copyOf(good, good.length - 1), "it ends too early, after " + (good.length - 1) + " bytes");
        refused(new byte[RingWire.MAX_BYTES + 1], "it has 8193 bytes; at most 8192");
        byte[] elect = RingWire.write(new RingMessage.Elect(VIEW, 0, KEY, 1, Term.NONE));
        refused(with(elect, 23, 2), "a yes or no is 2; it is 0 or 1");
        refused(with(elect, 38, 101), "a priority is 101; its bounds are 0 and 100");
        refused(with(elect, 39, 3), "an order is 3; its bounds are 0 and 2");
    }

    @Test
    void in_quorum_mode_a_message_says_which_voters_there_are_and_a_lap_who_granted() throws MalformedMessageException {
        var electorate = Optional.of(Electorate.of(List.of("a", "b", "c")));
        byte[] lap = RingWire.write(new RingMessage.Beat(VIEW, 2, TERM, 9, 5), electorate);
        assertThat(HexFormat.of().formatHex(lap))
                .isEqualTo(
                        "02" // version
                                // printf 'a\0b\0c' | sha256sum, the first 8 bytes, a quarter of it
                                + "22eb778431d83a6d"
                                + hex(new RingMessage.Beat(VIEW, 2, TERM, 9)).substring(2)
                                + "0000000000000005"); // a and c have granted
        for (int seed = 0; seed < 500; seed++) {
            RingMessage message = any(new Random(seed));
            assertThat(RingWire.read(RingWire.write(message, electorate), electorate))
                    .as("seed " + seed)
                    .isEqualTo(message);
        }
        assertThat(RingWire.read(lap, electorate)).isEqualTo(new RingMessage.Beat(VIEW, 2, TERM, 9, 5));
        assertRefused(with(lap, lap.length - 1, 8), electorate, "its grants is 8; its bounds are 0 and 7");
        assertRefused(
                lap,
                Optional.of(Electorate.of(List.of("a", "b", "d"))),
                "it is of an election with other voters than [a, b, d]: give all members the same");
        assertRefused(
                lap,
                Optional.empty(),
                "it is of an election with voters, and this member knows of none: give all members the same voters");
        assertRefused(
                RingWire.write(new RingMessage.Beat(VIEW, 2, TERM, 9)),
                electorate,
                "it is of an election without voters, and this member knows of some: give all members the same voters");
    }

    private static void assertRefused(byte[] bytes, Optional<Electorate> electorate, String sentence) {
        assertThatThrownBy(() -> RingWire.read(bytes, electorate))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage(sentence);
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
        return switch (random.nextInt(7)) {
            case 0 -> new RingMessage.Elect(view, round, key(random), 1 + random.nextInt(9), term);
            case 1 ->
                new RingMessage.Compare(view, round, 1 + random.nextInt(9), random.nextBoolean(), key(random), term);
            case 2 -> new RingMessage.Chosen(view, round, member(random), term);
            case 3 -> new RingMessage.Elected(view, round, new Term(1 + round, member(random)), 1 + random.nextInt(9));
            case 4 -> new RingMessage.Beat(view, round, new Term(1 + round, member(random)), 1 + random.nextInt(9));
            case 5 -> new RingMessage.Yield(view, round, new Term(1 + round, member(random)), random.nextBoolean());
            default -> new RingMessage.Nack(view, term);
        };
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
