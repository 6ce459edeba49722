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

    private static final List<String> EXPECTED =
            List.of("retry 2000", "leader {\"a\":\n\"pød\"}", "comment", "message \n two", "comment");

    private final List<String> received = new ArrayList<>();

    private final EventReader.Sink sink = new EventReader.Sink() {
        @Override
        public void event(String type, String data) {
            received.add(type + " " + data);
        }

        @Override
        public void comment() {
            received.add("comment");
        }

        @Override
        public void retry(long millis) {
            received.add("retry " + millis);
        }
    };

    @Test
    void a_stream_is_read_equally_wherever_it_is_split() {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            received.clear();
            var reader = new EventReader("");
            reader.read(java.util.Arrays.copyOf(bytes, cut), sink);
            reader.read(java.util.Arrays.copyOfRange(bytes, cut, bytes.length), sink);

            assertThat(received).as("split at " + cut).isEqualTo(EXPECTED);
            assertThat(reader.lastEventId()).isEmpty();
        }
    }

    @Test
    void a_stream_is_read_equally_byte_by_byte() {
        var reader = new EventReader("");
        for (byte each : STREAM.getBytes(StandardCharsets.UTF_8)) {
            reader.read(new byte[] {each}, sink);
        }

        assertThat(received).isEqualTo(EXPECTED);
    }

    @Test
    void an_id_counts_when_its_event_is_complete() {
        var reader = new EventReader("e-1");
        reader.read(utf8("id: e-2\ndata: x\n"), sink);
        assertThat(reader.lastEventId()).isEqualTo("e-1");
        reader.read(utf8("\n"), sink);
        assertThat(reader.lastEventId()).isEqualTo("e-2");
        reader.read(utf8("data: without an id of its own\n\n"), sink);
        assertThat(reader.lastEventId()).isEqualTo("e-2");
    }

    @Test
    void an_id_that_is_invalid_in_a_header_is_ignored() {
        var reader = new EventReader("e-1");
        for (String id : List.of("a\0b", "ø", "x".repeat(EventReader.MAX_ID_LENGTH + 1))) {
            reader.read(utf8("id: " + id + "\ndata: x\n\n"), sink);
            assertThat(reader.lastEventId()).isEqualTo("e-1");
        }
        reader.read(utf8("id: " + "x".repeat(EventReader.MAX_ID_LENGTH) + "\ndata: x\n\n"), sink);
        assertThat(reader.lastEventId()).hasSize(EventReader.MAX_ID_LENGTH);
    }

    @Test
    void the_length_of_a_line_is_limited() {
        var reader = new EventReader("");
        reader.read(utf8(":" + "x".repeat(EventReader.MAX_LENGTH - 1) + "\n"), sink);

        assertThatThrownBy(() -> reader.read(utf8("x".repeat(EventReader.MAX_LENGTH + 1)), sink))
                .hasMessage("a line of the stream is longer than 65536 bytes");
    }

    @Test
    void the_length_of_an_event_is_limited() {
        var reader = new EventReader("");
        String line = "data: " + "x".repeat(1_000) + "\n";

        assertThatThrownBy(() -> reader.read(utf8(line.repeat(100)), sink))
                .hasMessage("an event of the stream is longer than 65536 characters");
    }

    @Test
    void empty_lines_of_data_count_towards_the_limit() {
        var reader = new EventReader("");

        assertThatThrownBy(() -> reader.read(utf8("data\n".repeat(70_000)), sink))
                .hasMessageContaining("longer than 65536 characters");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
