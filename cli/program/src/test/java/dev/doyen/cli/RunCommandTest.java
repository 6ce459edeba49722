package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests options of {@code doyen run} with commands that do not start, or end at once. */
final class RunCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @AfterEach
    void loud() {
        ConsoleLog.install(ConsoleLog.Detail.NORMAL);
    }

    @ParameterizedTest
    @CsvSource({
        "--grace,61m,at most 1 h",
        "--grace,5,'like 500ms, 5s or 2m'",
        "--ttl,100ms,200 ms and 1 h",
        "--stop-before,5s,two fifths of the ttl (4000 ms)",
        "--on-lost,panic,--on-lost",
        "-w,soon,'like 30, 0.5, 500ms, 30s or 2m'",
        "-w,-1,-w",
        "--generation,-1,--generation -1 is out of bounds; give 0 to 9007199254740991",
        "--generation,9007199254740992,--generation 9007199254740992 is out of bounds",
        "--generation,newest,--generation",
        "-E,256,from 0 to 255",
        "-E,-1,from 0 to 255",
        "--id,'',candidate id",
        "--nonsense,x,Unknown option"
    })
    void an_invalid_option_is_rejected_in_one_line(String flag, String value, String remedy) {
        assertThat(run(Map.of(), "e", "--store", "memory:", flag, value, "--", "true"))
                .isEqualTo(2);

        assertThat(err.toString()).contains(remedy, "Try: doyen run --help");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void a_missing_command_name_or_store_is_wrong_usage() {
        assertThat(run(Map.of(), "e", "--store", "memory:")).isEqualTo(2);
        assertThat(run(Map.of())).isEqualTo(2);
        assertThat(run(Map.of(), "e", "--", "true")).isEqualTo(2);

        assertThat(err.toString()).contains("COMMAND", "NAME", "no store is given", "DOYEN_STORE");
    }

    @Test
    void an_unknown_store_is_wrong_usage_and_its_url_is_not_printed() {
        assertThat(run(Map.of("DOYEN_STORE", "nosuch://user:secret@host"), "e", "--", "true"))
                .isEqualTo(2);

        assertThat(err.toString()).contains("no store for \"nosuch:\"").doesNotContain("secret");
    }

    @Test
    void the_store_can_come_from_the_environment() {
        assertThat(run(Map.of("DOYEN_STORE", "file:" + folder), "e", "--", "sh", "-c", "exit 5"))
                .isEqualTo(5);
    }

    @Test
    void the_option_overrides_the_environment() {
        assertThat(run(Map.of("DOYEN_STORE", "nosuch:"), "e", "--store", "file:" + folder, "--", "sh", "-c", "exit 5"))
                .isEqualTo(5);
    }

    @Test
    void a_wait_of_0_does_not_wait() {
        assertThat(run(Map.of(), "e", "--store", "file:" + folder, "-w", "0", "--", "sh", "-c", "exit 5"))
                .isEqualTo(5);
    }

    @Test
    void a_missing_command_is_reported_as_json_with_the_json_log() {
        assertThat(run(Map.of(), "e", "--store", "file:" + folder, "--json", "--id", "me", "--", "no-such-command"))
                .isEqualTo(127);

        assertThat(err.toString())
                .contains(
                        "\"event\":\"not-started\",\"election\":\"e\",\"candidate\":\"me\",\"message\":\"the command");
    }

    @Test
    void the_log_can_be_json() {
        assertThat(NoticePrinter.logLine(Instant.EPOCH, "WARNING", "a \"store\" failed"))
                .contains("\"event\":\"log\",\"level\":\"WARNING\",\"message\":\"a \\\"store\\\" failed\"");
    }

    @Test
    void help_explains_the_loss_of_the_leadership() {
        assertThat(run(Map.of(), "--help")).isZero();

        assertThat(out.toString()).contains("--on-lost", "DOYEN_FENCE", "DOYEN_STATE_FILE", "127", "-E");
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    }

    private int run(Map<String, String> environment, String... arguments) {
        var all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments));
        return Doyen.run(
                (directory, settings) ->
                        StrictClaims.withElection(settings.watched().get(0)),
                environment,
                server -> {},
                signals -> {},
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                all.toArray(String[]::new));
    }
}
