package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the options and environment variables that {@code doyen ring} rejects before it opens a port. If the command
 * accepted an invalid value, it would run until it is killed.
 */
@Timeout(180)
final class RingCommandTest {

    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--priority 101      | priority",
                "--election-timeout 1ms        | 100 ms",
                "--election-timeout 5s         | raise the election timeout to 7452 ms or more, or lower the detection time",
                "--detection 10s     | a silent member stays in the view for 11750 ms",
                "--voters a,b,c      | Unknown options: '--voters', 'a,b,c'; voters were removed, follow docs/guide/migrate/",
                "--promises=votes    | '--promises=votes'; voters were removed, follow docs/guide/migrate/ring-voters.md",
                "--ttl 5s            | Unknown options: '--ttl'",
                "--order tallest     | expected one of [OLDEST, LOWEST_ID, HIGHEST_ID] (case-insensitive) but was 'tallest'",
                "--priority -1       | priority is -1; its bounds are 0 and 100",
                "--priority much     | '--priority': 'much' is not an int",
                "--detection 100ms   | detection is 100 ms; its bounds are 500 ms and 1 min",
                "--peers here        | 'here' is not an address to listen on; write HOST:PORT",
                "--listen 0.0.0.0:80 | which means every address",
                "--listen 10.0.0.1:7800 | secret",
                "--secret-file none  | --secret-file none cannot be read",
                "--peers a:1 --dns b | mutually exclusive",
                "--health-http ftp:x | is not an http or https URL",
                "--health-file f --if-none-healthy lead_anyway | choose NoneHealthy.NO_LEADER",
            })
    void invalid_values_are_rejected_in_one_line(String flags, String remedy) {
        assertThat(run(Map.of(), ("ring orders " + flags).split(" "))).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("doyen: ")
                .contains(remedy, "Try: doyen ring --help")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DOYEN_RING_VOTERS | ; voters were removed, follow docs/guide/migrate/ring-voters.md; remove the variable",
                "DOYEN_RING_PROMISES | ; voters were removed, follow docs/guide/migrate/ring-voters.md; remove the variable",
                "DOYEN_RING_DETECT | doyen ring has no such option; remove the variable",
            })
    void an_environment_variable_without_an_option_is_rejected(String variable, String remedy) {
        // The election timeout is invalid too, so the ring does not start even if the command accepts the variable.
        assertThat(run(Map.of(variable, "a,b,c"), "ring", "orders", "--election-timeout", "1ms"))
                .isEqualTo(2);

        assertThat(err.toString())
                .startsWith("doyen: the environment variable " + variable + " is set, but ")
                .contains(remedy)
                .hasLineCount(1);
    }

    @Test
    void environment_variables_of_other_commands_and_of_kubernetes_are_accepted() {
        Map<String, String> environment = Map.of(
                "DOYEN_RING_ELECTION_TIMEOUT", "1ms",
                "DOYEN_RING_SECRET", "0123456789abcdef",
                "DOYEN_RING_VOTERS", "",
                "DOYEN_STORE", "memory:",
                "DOYEN_RING_SERVICE_HOST", "10.0.0.1",
                "DOYEN_RING_SERVICE_PORT_PEERS", "7800",
                "DOYEN_RING_PORT", "tcp://10.0.0.1:7800",
                "DOYEN_RING_PORT_7800_TCP_ADDR", "10.0.0.1");

        assertThat(run(environment, "ring", "orders")).isEqualTo(2);

        assertThat(err.toString()).contains("100 ms").hasLineCount(1);
    }

    private int run(Map<String, String> environment, String... arguments) {
        return Doyen.run(
                (directory, settings) ->
                        StrictClaims.withElection(settings.watched().get(0)),
                environment,
                server -> {},
                signals -> {},
                new PrintWriter(new StringWriter(), true),
                new PrintWriter(err, true),
                arguments);
    }
}
