package dev.doyen.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.server.claims.StrictClaims;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code doyen ring} and {@code doyen ranking} refuse before anything is opened. What is not refused would run on. */
@Timeout(180)
final class MemberCommandTest {

    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ring    | --priority 101      | priority",
                "ring    | --follow 1ms        | 100 ms",
                "ring    | --follow 5s         | raise follow to 7452 ms or more, or lower the detection time",
                "ring    | --detection 10s     | a silent member stays in the view for 11750 ms",
                "ring    | --voters a,b        | name an odd number",
                "ring    | --promises p        | is for voters, and none are named",
                "ring | --order tallest     | expected one of [OLDEST, LOWEST_ID, HIGHEST_ID] (case-insensitive) but was 'tallest'",
                "ranking | --priority -1       | priority is -1; its bounds are 0 and 100: raise it",
                "ranking | --priority much     | '--priority': 'much' is not an int",
                "ranking | --order tallest     | expected one of [OLDEST, LOWEST_ID] (case-insensitive) but was 'tallest'",
                "ranking | --ttl 50ms          | ttl is 50 ms; its bounds are 100 and 3600000 ms: raise it",
                "ranking | --ttl soon          | --ttl",
                "ranking | --voters a,b,c      | Unknown options: '--voters'",
                "ranking | --detection 100ms   | detection is 100 ms; its bounds are 500 ms and 1 min",
                "ranking | --peers here        | 'here' is no address to listen on; write HOST:PORT",
                "ranking | --listen 0.0.0.0:80 | which is every address",
                "ranking | --listen 10.0.0.1:7800 | secret",
                "ranking | --secret-file none  | --secret-file none cannot be read",
                "ranking | --peers a:1 --dns b | mutually exclusive",
                "ranking | --health-http ftp:x | is no http URL",
                "ranking | --health-file f --nobody-well lead_anyway | choose NobodyWell.NO_LEADER",
            })
    void what_cannot_be_meant_is_refused_in_one_line(String command, String flags, String remedy) {
        assertThat(run((command + " orders " + flags).split(" "))).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("doyen: ")
                .contains(remedy, "Try: doyen " + command + " --help")
                .hasLineCount(1);
    }

    private int run(String... arguments) {
        return Doyen.run(
                (directory, election, claimTtl) -> StrictClaims.knowing(election),
                Map.of(),
                server -> {},
                signals -> {},
                new PrintWriter(new StringWriter(), true),
                new PrintWriter(err, true),
                arguments);
    }
}
