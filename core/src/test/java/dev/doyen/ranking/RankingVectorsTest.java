package dev.doyen.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.Moment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transcripts of docs/spec/vectors/ranking, which the TypeScript machine reproduces too, step by step. */
class RankingVectorsTest {

    private static final Path FOLDER = Path.of("..", "docs", "spec", "vectors", "ranking");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** An origin near the end of the counter: moments must be compared by subtraction only. */
    private static final long ORIGIN = Long.MAX_VALUE - 1_000_000_000L;

    static Stream<Path> vectors() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void they_are_all_there() {
        assertThat(vectors()).hasSizeGreaterThanOrEqualTo(41);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void each_is_reproduced_step_by_step(Path file) throws IOException {
        replay(file, 0);
        replay(file, ORIGIN);
    }

    static void replay(Path file, long origin) throws IOException {
        JsonNode vector = JSON.readTree(file.toFile());
        var machine = new RankingMachine(VectorJson.settings(vector.get("settings")));
        RankingState state = machine.begin(new Moment(origin, 0), 0);
        int number = 0;
        for (JsonNode expected : vector.get("steps")) {
            Moment now = VectorJson.moment(expected, origin);
            RankingStep step = machine.step(state, VectorJson.input(expected.get("input"), now, origin));
            state = step.next();
            ObjectNode actual = ((ObjectNode) expected).deepCopy();
            actual.set("effects", VectorJson.effects(step.effects()));
            actual.put("leads", state.leadsAt(now));
            actual.set("wakeAt", VectorJson.wakeAt(step.wakeAtNanos(), origin));
            // As text, for in JSON 10010 and 10010.0 are the same number.
            assertThat(List.of(actual.toString()))
                    .as("%s, step %d", file.getFileName(), ++number)
                    .containsExactly(expected.toString());
        }
    }
}
