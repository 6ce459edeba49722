package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that invalid operator commands are rejected with exit code 2. Also tests a store from the environment. */
@Timeout(180)
final class OperatorMisuseTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"leader", "watch", "history", "resign", "pause", "resume", "doctor", "transfer"})
    void names_of_internal_records_are_rejected(String command) {
        var arguments = command.equals("transfer") ? new String[] {"~session/1", "two"} : new String[] {"~session/1"};
        assertThat(onStore(command, arguments)).isEqualTo(2);

        assertThat(err.toString()).contains("\"~session/1\" begins with ~, which is reserved for Doyen's own records");
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(folder.resolve("store")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "leader,-E,256,'must be from 0 to 255'",
        "leader,--wait,soon,'write it like 30, 0.5'",
        "resign,--by,'',--by is empty",
        "pause,--wait,-1,'write it like'",
        "doctor,--ttl,1ms,its bounds are 200 ms and 1 h",
        "doctor,--clocks,61m,at most 1 h",
        "doctor,--fencing,maybe,--fencing"
    })
    void an_invalid_value_is_rejected_in_one_line(String command, String flag, String value, String remedy) {
        assertThat(onStore(command, "e", flag, value)).isEqualTo(2);

        assertThat(err.toString()).contains(remedy, "doyen " + command + " --help");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void a_reason_that_is_too_long_is_rejected() {
        assertThat(onStore("pause", "e", "--reason", "x".repeat(256))).isEqualTo(2);
        assertThat(err.toString()).contains("--reason has 256 characters; at most 255");
    }

    @Test
    void a_missing_store_name_or_candidate_is_wrong_usage() {
        assertThat(run(Map.of(), "leader", "e")).isEqualTo(2);
        assertThat(err.toString()).contains("no store is given", "DOYEN_STORE");
        for (var command : List.of("leader", "watch", "history", "resign", "transfer", "pause", "resume")) {
            assertThat(onStore(command)).as(command).isEqualTo(2);
        }
        assertThat(onStore("transfer", "e")).isEqualTo(2);
    }

    @Test
    void the_environment_can_contain_the_store() {
        assertThat(run(Map.of("DOYEN_STORE", "memory:"), "history", "e")).isZero();
        assertThat(out.toString()).isEqualTo("No term of \"e\" is remembered here.\n");
    }

    private int onStore(String command, String... more) {
        var all = new ArrayList<>(List.of(command, "--store", "file:" + folder.resolve("store")));
        all.addAll(Arrays.asList(more));
        return run(Map.of(), all.toArray(String[]::new));
    }

    private int run(Map<String, String> environment, String... arguments) {
        return Doyen.run(
                (directory, settings) ->
                        StrictClaims.withElection(settings.watched().get(0)),
                environment,
                server -> {},
                signals -> {},
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments);
    }
}
