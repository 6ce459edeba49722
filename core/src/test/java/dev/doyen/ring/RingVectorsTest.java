package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.Moment;
import dev.doyen.membership.MalformedMessageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The transcripts of docs/spec/vectors/ring, which the TypeScript machine reproduces too, step by step. With
 * {@code -Drewrite=true} what they expect is written anew from the machine; a person then reads the difference.
 */
class RingVectorsTest {

    private static final Path FOLDER = Path.of("..", "docs", "spec", "vectors", "ring");
    private static final Path WIRE = Path.of("..", "docs", "spec", "vectors", "ring-wire.json");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final boolean REWRITE = Boolean.getBoolean("rewrite");

    /** An origin near the end of the counter, from which no whole millisecond is the last number: that means never. */
    private static final long ORIGIN = Long.MAX_VALUE - 1_234_567_891L;

    static Stream<Path> vectors() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void they_are_all_there() throws IOException {
        if (REWRITE) {
            for (int seed = 1; seed <= RingVectorRecorder.SEEDS; seed++) {
                String name = "seeded-%02d.json".formatted(seed);
                Files.writeString(FOLDER.resolve(name), text(new RingVectorRecorder(seed).record()));
            }
        }
        assertThat(vectors()).hasSizeGreaterThanOrEqualTo(42 + RingVectorRecorder.SEEDS);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void each_is_reproduced_step_by_step(Path file) throws IOException {
        var vector = (ObjectNode) JSON.readTree(file.toFile());
        if (REWRITE) {
            ObjectNode played = vector.deepCopy();
            played.set("steps", JSON.valueToTree(replayed(vector, 0)));
            Files.writeString(file, text(played));
            return;
        }
        for (long origin : new long[] {0, ORIGIN}) {
            List<ObjectNode> actual = replayed(vector, origin);
            for (int i = 0; i < actual.size(); i++) {
                // As text, for in JSON 10010 and 10010.0 are the same number.
                assertThat(List.of(actual.get(i).toString()))
                        .as("%s, step %d", file.getFileName(), i + 1)
                        .containsExactly(vector.get("steps").get(i).toString());
            }
        }
    }

    @Test
    void messages_have_these_bytes_and_no_others_are_read() throws Exception {
        JsonNode wire = JSON.readTree(WIRE.toFile());
        for (JsonNode one : wire.get("messages")) {
            byte[] bytes = HexFormat.of().parseHex(one.get("hex").asText());
            RingMessage message = RingVectorJson.message(one.get("message"));
            assertThat(HexFormat.of().formatHex(RingWire.write(message)))
                    .isEqualTo(one.get("hex").asText());
            assertThat(RingWire.read(bytes)).isEqualTo(message);
        }
        for (JsonNode one : wire.get("refused")) {
            byte[] bytes = HexFormat.of().parseHex(one.get("hex").asText());
            assertThatThrownBy(() -> RingWire.read(bytes))
                    .as(one.get("why").asText())
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining(one.get("why").asText());
        }
    }

    private static List<ObjectNode> replayed(ObjectNode vector, long origin) {
        var machine = new RingMachine(RingVectorJson.settings(vector.get("settings")));
        RingState state = machine.begin(RingVectorJson.member(vector.get("me")));
        var played = new ArrayList<ObjectNode>();
        for (JsonNode given : vector.get("steps")) {
            Moment now = RingVectorJson.moment(given, origin);
            RingStep step = machine.step(state, RingVectorJson.input(given.get("input"), now));
            state = step.next();
            ObjectNode actual = given.deepCopy();
            RingVectorJson.outcome(actual, step, now, origin);
            played.add(actual);
        }
        return played;
    }

    /** One step a line, so that a difference reads like a story. */
    private static String text(ObjectNode vector) throws JsonProcessingException {
        var head = vector.deepCopy();
        head.remove("steps");
        String open =
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(head).replaceAll("\\s*\\}$", "");
        var lines = new ArrayList<String>();
        for (JsonNode step : vector.get("steps")) {
            lines.add("    " + JSON.writeValueAsString(step));
        }
        return open + ",\n  \"steps\": [\n" + String.join(",\n", lines) + "\n  ]\n}\n";
    }
}
