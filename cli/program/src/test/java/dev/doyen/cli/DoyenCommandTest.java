package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.hub.server.claims.StrictClaims;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class DoyenCommandTest {

    private static final String[] FREE_PORTS = {"--port", "0", "--elector-port", "0", "--probe-port", "0"};

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void demo_serves_and_prints_its_address() {
        assertThat(demo(Map.of())).isZero();

        assertThat(out.toString())
                .contains("page and hub   http://localhost:")
                .contains("two tabs", "curl -s http://localhost:")
                .containsPattern("(?m)^ELECTOR_GET_URL=http://localhost:[0-9]+/$")
                .containsPattern("(?m)^ELECTOR_SSE_URL=http://localhost:[0-9]+/sse$");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void the_key_is_created_once_readable_only_by_its_owner_and_never_printed() throws Exception {
        demo(Map.of());
        var key = Files.readString(folder.resolve("key"));
        demo(Map.of());

        assertThat(key).matches("doyen\\.demo:[A-Za-z0-9_-]{32}\n");
        assertThat(Files.readString(folder.resolve("key"))).isEqualTo(key);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("key"))))
                .isEqualTo("rw-------");
        assertThat(out.toString() + err).doesNotContain(key.strip().substring(key.indexOf(':') + 1));
        try (var files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).containsExactly("key");
        }
    }

    @Test
    void a_key_from_the_environment_is_used_and_not_stored() {
        assertThat(demo(Map.of("DOYEN_KEY", "my.key:secret"))).isZero();

        assertThat(folder.resolve("key")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "a.b", "a:b", "a.b:", "a.b:with space", ".b:c", "a.b:c\nd"})
    void an_invalid_key_is_rejected_and_not_printed(String key) {
        assertThat(demo(Map.of("DOYEN_KEY", key))).isEqualTo(1);

        assertThat(err.toString()).startsWith("doyen: DOYEN_KEY cannot be used").doesNotContain(key);
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void a_damaged_key_file_is_reported_with_its_path() throws Exception {
        Files.writeString(folder.resolve("key"), "spoiled");

        assertThat(demo(Map.of())).isEqualTo(1);
        assertThat(err.toString()).contains(folder.resolve("key").toString(), "delete the file");
    }

    @ParameterizedTest
    @CsvSource({"--port", "--elector-port", "--probe-port"})
    void a_port_in_use_is_reported_with_its_option(String flag) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int status = demo(Map.of(), flag, Integer.toString(taken.getLocalPort()));

            assertThat(status).isEqualTo(1);
            assertThat(err.toString())
                    .startsWith("doyen: Port " + taken.getLocalPort() + " on 127.0.0.1 cannot be opened")
                    .contains("choose another with " + flag + " PORT")
                    .doesNotContain("\tat ");
            assertThat(err.toString().lines()).hasSize(1);
        }
    }

    @Test
    void a_data_directory_that_cannot_be_written_is_reported() throws Exception {
        var file = Files.createFile(folder.resolve("file"));

        assertThat(run(Map.of(), "demo", "--data", file.toString())).isEqualTo(1);
        assertThat(run(Map.of(), "demo", "--data", file.resolve("below").toString()))
                .isEqualTo(1);
        assertThat(run(Map.of(), "demo", "--data", "/proc/doyen")).isEqualTo(1);

        assertThat(err.toString().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("doyen: The data directory ") && line.endsWith("with --data DIR."));
    }

    @Test
    void other_machines_need_a_configured_key() {
        assertThat(demo(Map.of(), "--bind", "0.0.0.0")).isEqualTo(2);
        assertThat(err.toString()).contains("set DOYEN_KEY");
        assertThat(demo(Map.of("DOYEN_KEY", "a.b:" + "s".repeat(22)), "--bind", "0.0.0.0"))
                .isZero();
        assertThat(out.toString()).contains("Everyone who can reach this address receives the page");
    }

    @Test
    void share_prints_the_address_for_other_machines_and_its_qr_code() {
        var address = NetworkAddress.find();
        assumeTrue(address.isPresent(), "this machine has no network");

        assertThat(demo(Map.of(), "--share")).as(err.toString()).isZero();

        String url = "http://" + address.get().getHostAddress().replaceFirst("^(.*:.*)$", "[$1]") + ":";
        assertThat(out.toString())
                .contains("page and hub   http://localhost:", "  other machines " + url, "open " + url)
                .contains("console        http://localhost:", "elector API    http://localhost:")
                .containsPattern("[█▀▄ ]{33}");
    }

    @Test
    void the_demo_prints_no_address_for_other_machines_unless_it_is_shared() {
        assertThat(demo(Map.of())).isZero();

        assertThat(out.toString()).doesNotContain("other machines", "█");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,not an address with which other machines reach this machine",
        "0.0.0.0,not an address with which other machines reach this machine",
        "203.0.113.7,not an address with which other machines reach this machine",
        "no address,no IP address and no known host name"
    })
    void an_address_that_cannot_be_shared_is_rejected_in_one_line(String address, String why) {
        assertThat(demo(Map.of(), "--share", address)).isEqualTo(2);

        assertThat(err.toString()).contains("--share", address, why, "doyen demo --help");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void a_port_that_another_program_uses_on_the_shared_address_is_reported_in_one_line() throws Exception {
        var address = NetworkAddress.find();
        assumeTrue(address.isPresent(), "this machine has no network");

        try (var taken = new ServerSocket(0, 1, address.get())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(demo(Map.of(), "--share", "--port", port)).isEqualTo(1);

            assertThat(err.toString())
                    .contains(
                            "Port " + port + " on " + address.get().getHostAddress(),
                            "choose another with --port PORT");
            assertThat(err.toString().lines()).hasSize(1);
        }
    }

    @Test
    void a_key_with_a_short_secret_is_not_used_if_other_machines_get_tokens() {
        assertThat(demo(Map.of("DOYEN_KEY", "a.b:short"), "--share")).isEqualTo(2);

        assertThat(err.toString()).contains("--share opens the demo to other machines", "fewer than 22 characters");
    }

    @Test
    void share_and_bind_exclude_each_other() {
        assertThat(demo(Map.of("DOYEN_KEY", "a.b:" + "s".repeat(22)), "--bind", "0.0.0.0", "--share"))
                .isEqualTo(2);

        assertThat(err.toString()).contains("leave out --share or --bind");
    }

    @ParameterizedTest
    @CsvSource({
        "--port,70000,must be from 0",
        "--port,-1,must be from 0",
        "--port,http,not an int",
        "--bind,no address,--bind",
        "--channel,'',--channel",
        "--channel,:x,--channel",
        "--claim-ttl,5,'like 500ms, 5s or 2m'",
        "--claim-ttl,999ms,1000ms",
        "--claim-ttl,61s,60000ms",
        "--nonsense,x,Unknown option"
    })
    void an_invalid_option_value_is_rejected_in_one_line(String flag, String value, String remedy) {
        assertThat(demo(Map.of(), flag, value)).isEqualTo(2);

        assertThat(err.toString()).contains(flag, remedy, "doyen demo --help");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void two_options_with_the_same_port_are_reported() {
        assertThat(demo(Map.of(), "--elector-port", "5000", "--probe-port", "5000"))
                .isEqualTo(2);

        assertThat(err.toString()).contains("--elector-port and --probe-port are both 5000");
    }

    @Test
    void a_named_command_does_not_build_the_other_commands() {
        assertThat(commandsFor("run", "--help")).containsExactly("run");
        assertThat(commandsFor("--verbose", "run")).contains("demo", "run", "quorum");
        assertThat(commandsFor()).contains("demo", "run", "quorum");
    }

    @Test
    void each_command_has_the_name_that_its_help_shows() {
        program()
                .getSubcommands()
                .forEach((name, command) -> assertThat(command.getCommandName()).isEqualTo(name));
    }

    private Set<String> commandsFor(String... arguments) {
        return program(arguments).getSubcommands().keySet();
    }

    private CommandLine program(String... arguments) {
        return CommandPageTest.program(out, err, arguments);
    }

    @Test
    void help_and_version_go_to_standard_output() {
        assertThat(run(Map.of(), "--help")).isZero();
        assertThat(run(Map.of(), "--version")).isZero();
        assertThat(run(Map.of(), "demo", "--help")).isZero();

        assertThat(out.toString())
                .contains("Usage: doyen", "demo", "--elector-port", "4040")
                .containsPattern("doyen [0-9]+\\.[0-9]+");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void a_missing_command_is_wrong_usage() {
        assertThat(run(Map.of())).isEqualTo(2);
        assertThat(err.toString()).startsWith("doyen: ");
    }

    @Test
    void verbose_prints_the_stack_trace_of_an_error() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            demo(Map.of(), "--verbose", "--port", Integer.toString(taken.getLocalPort()));

            assertThat(err.toString()).contains("\tat ");
        }
    }

    private int demo(Map<String, String> environment, String... more) {
        var arguments = new ArrayList<>(List.of("demo", "--data", folder.toString()));
        for (int at = 0; at < FREE_PORTS.length; at += 2) {
            if (!List.of(more).contains(FREE_PORTS[at])) {
                arguments.addAll(List.of(FREE_PORTS[at], FREE_PORTS[at + 1]));
            }
        }
        arguments.addAll(List.of(more));
        return run(environment, arguments.toArray(String[]::new));
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
