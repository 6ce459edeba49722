package dev.doyen.client.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventReaderTest {

    private static final String STREAM =
            "\ufeffretry: 2000\r\nid: e-7\r\nevent: leader\r\ndata: {\"a\":\r\ndata: \"pød\"}\r\n\r\n"
                    + ":\r\rdata\rdata:  two\n\n: beat\nid\nunknown: x\nretry: soon\n\ndata: cut";

    private static final List<String> HEARD =
            List.of("retry 2000", "leader {\"a\":\n\"pød\"}", "comment", "message \n two", "comment");

    private final List<String> heard = new ArrayList<>();

    private final EventReader.Sink sink = new EventReader.Sink() {
        @Override
        public void event(String type, String data) {
            heard.add(type + " " + data);
        }

        @Override
        public void comment() {
            heard.add("comment");
        }

        @Override
        public void retry(long millis) {
            heard.add("retry " + millis);
        }
    };

    @Test
    void a_stream_says_the_same_wherever_it_is_cut() {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            heard.clear();
            var reader = new EventReader("");
            reader.read(java.util.Arrays.copyOf(bytes, cut), sink);
            reader.read(java.util.Arrays.copyOfRange(bytes, cut, bytes.length), sink);

            assertThat(heard).as("cut at " + cut).isEqualTo(HEARD);
            assertThat(reader.lastEventId()).isEmpty();
        }
    }

    @Test
    void a_stream_says_the_same_byte_by_byte() {
        var reader = new EventReader("");
        for (byte each : STREAM.getBytes(StandardCharsets.UTF_8)) {
            reader.read(new byte[] {each}, sink);
        }

        assertThat(heard).isEqualTo(HEARD);
    }

    @Test
    void an_id_counts_when_its_event_is_whole() {
        var reader = new EventReader("e-1");
        reader.read(utf8("id: e-2\ndata: x\n"), sink);
        assertThat(reader.lastEventId()).isEqualTo("e-1");
        reader.read(utf8("\n"), sink);
        assertThat(reader.lastEventId()).isEqualTo("e-2");
        reader.read(utf8("data: without an id of its own\n\n"), sink);
        assertThat(reader.lastEventId()).isEqualTo("e-2");
    }

    @Test
    void an_id_that_cannot_go_into_a_header_is_not_kept() {
        var reader = new EventReader("e-1");
        for (String id : List.of("a\0b", "ø", "x".repeat(EventReader.MAX_ID_LENGTH + 1))) {
            reader.read(utf8("id: " + id + "\ndata: x\n\n"), sink);
            assertThat(reader.lastEventId()).isEqualTo("e-1");
        }
        reader.read(utf8("id: " + "x".repeat(EventReader.MAX_ID_LENGTH) + "\ndata: x\n\n"), sink);
        assertThat(reader.lastEventId()).hasSize(EventReader.MAX_ID_LENGTH);
    }

    @Test
    void a_line_has_a_bound() {
        var reader = new EventReader("");
        reader.read(utf8(":" + "x".repeat(EventReader.MAX_LENGTH - 1) + "\n"), sink);

        assertThatThrownBy(() -> reader.read(utf8("x".repeat(EventReader.MAX_LENGTH + 1)), sink))
                .hasMessage("a line of the stream is longer than 65536 bytes");
    }

    @Test
    void an_event_of_many_lines_has_a_bound() {
        var reader = new EventReader("");
        String line = "data: " + "x".repeat(1_000) + "\n";

        assertThatThrownBy(() -> reader.read(utf8(line.repeat(100)), sink))
                .hasMessage("an event of the stream is longer than 65536 characters");
    }

    @Test
    void empty_lines_of_data_count_against_the_bound_too() {
        var reader = new EventReader("");

        assertThatThrownBy(() -> reader.read(utf8("data\n".repeat(70_000)), sink))
                .hasMessageContaining("longer than 65536 characters");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
