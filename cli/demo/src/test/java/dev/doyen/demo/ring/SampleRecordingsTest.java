package dev.doyen.demo.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Checks that the recorder still makes the recordings that the tests of the page use.
 *
 * <p>With {@code -Drewrite=true}, the test rewrites the recordings. Review the differences afterwards.
 */
class SampleRecordingsTest {

    private static final Path SAMPLES = Path.of("..", "..", "examples", "ring-visualizer", "test", "recordings");

    private static final Map<String, Map<String, String>> PLANS = new TreeMap<>(Map.of(
            "worst", Map.of("n", "5", "order", "worst"),
            "lost", Map.of("order", "3,5,2,4,1", "fault", "lost", "when", "2"),
            "peterson", Map.of("order", "3,7,2,8,1,6,4,5", "algorithm", "peterson"),
            "killed", Map.of("order", "3,5,2,4,1", "fault", "killed"),
            "cut", Map.of("order", "3,5,2,4,1", "fault", "cut"),
            "split", Map.of("order", "3,5,2,6,4,1", "fault", "split")));

    @Test
    void the_sample_recordings_equal_the_output_of_the_recorder() throws Exception {
        var json = new ObjectMapper();
        for (var plan : PLANS.entrySet()) {
            Path sample = SAMPLES.resolve(plan.getKey() + ".json");
            String made = RecordingJson.of(RecordedWorld.run(RecordingParameters.of(plan.getValue())));
            if (Boolean.getBoolean("rewrite")) {
                Files.createDirectories(SAMPLES);
                Files.writeString(sample, made + "\n");
            }
            assertThat(json.readTree(Files.readString(sample)))
                    .as(sample.toString())
                    .isEqualTo(json.readTree(made));
        }
    }
}
