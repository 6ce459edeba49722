package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.process.RunSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the options that {@code doyen elector} accepts and rejects. */
@Timeout(180)
final class ElectorCommandTest {

    private static final String[] PORTS = {"--http=localhost:0", "--probe-address=localhost:0"};

    private final StringWriter err = new StringWriter();
    private Map<String, String> environment = Map.of();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "--store=memory:|no election is given; add --election NAME",
                "--election=e --store=memory: --http=4040|'4040' is not an address to listen on; write HOST:PORT",
                "--election=e --store=memory: --http=::1:4040|'::1:4040' is not an address to listen on",
                "--election=e --store=memory: --probe-address=localhost:65536|a port from 0 to 65535",
                "--election=e --store=memory: --ttl=1h|'1h' is not a duration; write it like 500ms, 5s or 2m",
                "--election=e --store=memory: --ttl=1ms|ttl is 1 ms; its bounds are 200 ms and 1 h",
                "--election=e --store=memory: --log-level=loud|--log-level 'loud' is not a level",
                "--election=e --store=memory: --log-format=xml|expected one of [TEXT, JSON]",
                "--election=e --store=memory: --grace=1s|--grace 1000ms is out of bounds; give 2s to 60m",
                "--election=e --store=memory: --generation=-1|--generation -1 is out of bounds; give 0 to",
                "--election=e --store=memory: --generation=9007199254740992|is out of bounds; give 0 to 9007199254740991",
                "--election=e --store=memory: --generation=1 --mode=non_expiring|--generation 1 has no effect in --mode",
                "--election=e --store=memory: --app-port=0|--app-port 0 is not a port",
                "--election=e --store=memory: --app-command=a --app-pid-file=b|exclude each other; choose one",
                "--election=e --store=memory: --health-file=a --health-tcp=h:1|exclude each other; choose one",
                "--election=e --store=memory: --health-http=ftp://x|is not an http or https URL; write it like http:",
                "--election=e --store=memory: --health-http=http://x:65536/|is not an http or https URL",
                "--election=e --store=memory: --health-file=a --health-timeout=2s|2000 ms is out of bounds; give 10",
                "--election=e --store=memory: --health-file=a --health-timeout=9ms|9 ms is out of bounds; give 10ms",
                "--election=e --store=memory: --health-tcp=8080|--health-tcp '8080' is not HOST:PORT",
                "--election=e --store=memory: --health-file=a --fall=0|fallAfter is 0; it lies between 1 and 100",
                "--election=e --store=memory: --mode=non_expiring --health-file=a|a health check has no effect",
                "--election=e --store=nosuch:x|no store for \"nosuch:\" on the class path",
                "--election=e --store=memory: --no-such-flag|Unknown option: '--no-such-flag'",
            })
    void invalid_values_are_reported_in_one_sentence_with_exit_code_1(String arguments, String sentence) {
        assertThat(run(arguments)).isEqualTo(1);
        assertThat(err.toString()).contains(sentence).hasLineCount(1).startsWith("doyen: ");
    }

    @ParameterizedTest
    @CsvSource({
        "web-5d9c7b-x2x4z, kubernetes:team?pod=web-5d9c7b-x2x4z",
        "web.v2-0, kubernetes:team?pod=web.v2-0",
        "web..v2, kubernetes:team",
        "Laptop.local, kubernetes:team"
    })
    void the_store_receives_the_full_name_of_a_pod_with_dots(String pod, String url) { // K7
        assertThat(ElectorCommand.kubernetesUrl("team", pod)).isEqualTo(url);
    }

    @Test
    void a_port_in_use_is_exit_code_2() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(run("--election=e --store=memory: --http=127.0.0.1:" + taken.getLocalPort()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("cannot be opened").contains("choose another with --http HOST:PORT");
        }
    }

    @Test
    void the_flags_of_the_nais_elector_are_accepted() {
        assertThat(run("--election=app --election-namespace=team --log-format=json --log-level=info"
                        + " --metrics-address=localhost:0 --store=memory:" + UUID.randomUUID()))
                .isZero();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void the_flags_of_leader_elector_are_accepted() {
        assertThat(run("--election=app --id=pod-1 --election-namespace=default --ttl=10s"
                        + " --use-cluster-credentials=true --store=memory:" + UUID.randomUUID()))
                .isZero();
        assertThat(run("--election=app --use-cluster-credentials --store=memory:"))
                .isZero();
    }

    @Test
    void the_health_check_is_set_by_the_variables_of_the_injector() {
        environment = Map.of(
                "ELECTOR_HEALTH_HTTP", "https://localhost:8443/livez?full",
                "ELECTOR_HEALTH_EVERY", "10s",
                "ELECTOR_HEALTH_TIMEOUT", "5s",
                "ELECTOR_FALL", "3",
                "ELECTOR_RISE", "1",
                "ELECTOR_IF_NONE_HEALTHY", "lead_anyway");
        assertThat(run("--election=app --store=memory:")).isZero();

        environment = Map.of("ELECTOR_HEALTH_HTTP", "localhost:8443");
        assertThat(run("--election=app --store=memory:")).isEqualTo(1);
        assertThat(err.toString()).contains("--health-http 'localhost:8443' is not an http or https URL");
    }

    @Test
    void the_wait_for_the_app_is_set_by_the_variables_of_the_injector() {
        environment = Map.of("ELECTOR_RELEASE", "wait", "ELECTOR_GRACE", "2s", "ELECTOR_APP_PORT", "1");
        assertThat(run("--election=app --store=memory:")).isZero();

        environment = Map.of("ELECTOR_RELEASE", "wait", "ELECTOR_GRACE", "1s");
        assertThat(run("--election=app --store=memory:")).isEqualTo(1);
        assertThat(err.toString()).contains("--grace 1000ms is out of bounds");
    }

    @Test
    void options_from_the_environment_are_overridden_by_the_command_line() {
        environment = Map.of("ELECTOR_ELECTION", "app", "ELECTOR_LOG_LEVEL", "loud", "DOYEN_STORE", "memory:");

        assertThat(run("")).isEqualTo(1);
        assertThat(err.toString()).contains("--log-level 'loud' is not a level");
        assertThat(run("--log-level=debug")).isZero();
    }

    @Test
    void variables_for_the_app_are_not_options() {
        environment = Map.of(
                "ELECTOR_PATH", "localhost:4040",
                "ELECTOR_GET_URL", "http://localhost:4040/",
                "ELECTOR_SSE_URL", "http://localhost:4040/sse",
                "ELECTOR_PORT", "tcp://10.0.0.1:80");

        assertThat(run("--election=app --store=memory:")).isZero();
    }

    /** Runs the command with these arguments, and ends the command as soon as it has started. */
    private int run(String arguments) {
        var commandLine = new java.util.ArrayList<String>();
        commandLine.add("elector");
        for (var port : PORTS) {
            if (!arguments.contains(port.substring(0, port.indexOf('=') + 1))) {
                commandLine.add(port);
            }
        }
        for (var argument : arguments.split(" ", -1)) {
            if (!argument.isEmpty()) {
                commandLine.add(argument);
            }
        }
        // A command that cannot open its store must end by itself with an error, so the test does not end it.
        boolean ends = !arguments.contains("nosuch:");
        try {
            return Doyen.run(
                    (directory, settings) ->
                            StrictClaims.withElection(settings.watched().get(0)),
                    environment,
                    server -> {},
                    signals -> {
                        if (ends) {
                            signals.accept(RunSignal.TERM);
                        }
                    },
                    new PrintWriter(new StringWriter(), true),
                    new PrintWriter(err, true),
                    commandLine.toArray(String[]::new));
        } finally {
            ConsoleLog.install(ConsoleLog.Detail.NORMAL);
        }
    }
}
