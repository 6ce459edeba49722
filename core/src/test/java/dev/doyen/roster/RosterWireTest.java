package dev.doyen.roster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.ViewId;
import dev.doyen.ranking.PresenceData;
import dev.doyen.ranking.Role;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages of a roster as bytes: docs/spec/ranking.md, "Over a membership". */
class RosterWireTest {

    private static final RosterMessage MESSAGE =
            new RosterMessage(new ViewId(7, "é"), 3, 2, 9, true, new Entry(4, Role.LEADER, 9, 100, true, 1L << 40));

    @Test
    void a_message_has_one_form_which_is_written_down() throws MalformedMessageException {
        byte[] bytes = RosterWire.write(MESSAGE);
        assertThat(bytes)
                .asHexString()
                .isEqualTo("01" + "0000000000000007" + "0002C3A9" + "0000000000000003" + "0000000000000002"
                        + "0000000000000009" + "07" + "0000000000000004" + "0000000000000009" + "64"
                        + "0000010000000000");
        assertThat(RosterWire.read(bytes)).isEqualTo(MESSAGE);
        RosterMessage plain =
                new RosterMessage(new ViewId(1, "a/1"), 1, 0, 0, false, new Entry(0, Role.FOLLOWER, 0, 0, false, 1));
        assertThat(RosterWire.read(RosterWire.write(plain))).isEqualTo(plain);
    }

    @Test
    void what_is_no_message_is_refused_with_a_sentence() {
        assertThatThrownBy(() -> RosterWire.read(new byte[0])).hasMessage("it ends too early, after 0 bytes");
        assertThatThrownBy(() -> RosterWire.read(new byte[RosterWire.MAX_BYTES + 1]))
                .hasMessage("it has 2049 bytes; at most 2048");
        assertThatThrownBy(() -> RosterWire.read(changed(0, 2)))
                .hasMessage("it is of version 2; this program speaks 1: run the same version everywhere");
        assertThatThrownBy(() -> RosterWire.read(changed(1, 0x80))).hasMessageStartingWith("its view is -");
        assertThatThrownBy(() -> RosterWire.read(changed(11, 0xff))).hasMessage("a text in it is not UTF-8");
        assertThatThrownBy(() -> RosterWire.read(changed(37, 8))).hasMessage("its flags are 8; they are 0 to 7");
        assertThatThrownBy(() -> RosterWire.read(changed(54, 101)))
                .hasMessage("its priority is 101; its bounds are 0 and 100");
        assertThatThrownBy(() -> RosterWire.read(changed(29, 1)))
                .hasMessageStartingWith("its seen term is")
                .hasMessageEndingWith("its bounds are 0 and " + PresenceData.MAX_TERM);
        byte[] longer = Arrays.copyOf(RosterWire.write(MESSAGE), 64);
        assertThatThrownBy(() -> RosterWire.read(longer)).hasMessage("1 bytes follow its end");
    }

    @Test
    void whatever_is_read_is_written_back_byte_for_byte() {
        var random = new Random(5);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = RosterWire.write(MESSAGE);
            int changes = random.nextInt(4);
            for (int j = 0; j < changes; j++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] cut = random.nextInt(5) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
            try {
                assertThat(RosterWire.write(RosterWire.read(cut))).isEqualTo(cut);
                read++;
            } catch (MalformedMessageException e) {
                assertThat(e).hasMessageMatching("(it|its|a text) .*|\\d+ bytes follow its end|view creator .*");
            }
        }
        assertThat(read).isGreaterThan(5_000);
    }

    private static byte[] changed(int at, int to) {
        byte[] bytes = RosterWire.write(MESSAGE);
        bytes[at] = (byte) to;
        return bytes;
    }
}
