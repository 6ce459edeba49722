package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.testkit.ServerCertificate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the output of {@code doyen hub}, and which of its options and keys it accepts. */
final class HubCommandTest {

    private static final String STRONG = "s".repeat(22);

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> stores = new ArrayList<>();
    private ServerLifecycle lifecycle = server -> {};

    @Test
    void a_sandbox_serves_this_machine_only() {
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:" + STRONG), "--sandbox", "--bind", "0.0.0.0"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--sandbox gives a key to every client", "leave out --bind 0.0.0.0");
        assertThat(hub(Map.of(), "--sandbox")).isZero();
    }

    @Test
    void a_node_of_several_needs_keys_and_store_and_has_no_sandbox() {
        assertThat(hub(Map.of(), "--nodes", "redis://localhost:1")).isEqualTo(2);
        assertThat(err.toString()).contains("all nodes of a hub need the same keys");
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:c"), "--nodes", "redis://localhost:1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("all nodes of a hub need the same store");
        assertThat(hub(
                        Map.of("DOYEN_KEY", "a.b:c"),
                        "--nodes",
                        "redis://localhost:1",
                        "--store",
                        "memory:",
                        "--sandbox"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--sandbox works only without other nodes");
    }

    @Test
    void it_serves_and_prints_its_address_but_no_secret() throws Exception {
        assertThat(hub(Map.of())).isZero();
        assertThat(out.toString()).contains("hub            http://localhost:", "keys           doyen.demo");
        var secret = Files.readString(folder.resolve("key")).strip().replaceAll(".*:", "");
        assertThat(out.toString() + err).doesNotContain(secret);
        assertThat(stores).containsExactly("file:" + folder.toAbsolutePath().resolve("claims"));
    }

    @Test
    void the_hub_serves_no_page_with_its_key() {
        lifecycle = server -> {
            var port = Pattern.compile("hub +(http://localhost:[0-9]+/)").matcher(out.toString());
            assertThat(port.find()).isTrue();
            assertThat(status(port.group(1))).isEqualTo(404);
            assertThat(status(port.group(1) + "config.json")).isEqualTo(404);
        };
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:c"))).isZero();
    }

    @Test
    void other_machines_need_a_configured_key() throws Exception {
        assertThat(hub(Map.of(), "--bind", "0.0.0.0")).isEqualTo(2);
        assertThat(err.toString())
                .contains("--bind 0.0.0.0 opens the hub to other machines; give the hub a key of your own");
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:" + STRONG), "--bind", "0.0.0.0"))
                .isZero();
        assertThat(hub(Map.of("DOYEN_KEYS", "a.b:" + STRONG + ", a.d:" + STRONG), "--bind", "0.0.0.0"))
                .isZero();
        assertThat(out.toString()).contains("keys           a.b, a.d");
        var settings = Files.writeString(folder.resolve("hub.yaml"), "keys: [{key: 'x.y:${Z}'}]");
        assertThat(hub(Map.of("Z", STRONG), "--bind", "0.0.0.0", "--settings", settings.toString()))
                .isZero();
        assertThat(folder.resolve("key"))
                .as("no key file is created if a key is configured")
                .doesNotExist();
    }

    @Test
    void other_machines_need_a_long_secret() {
        assertThat(hub(Map.of("DOYEN_KEYS", "a.b:" + STRONG + ", a.d:short-hush"), "--bind", "0.0.0.0"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("the secret of the key a.d has fewer than 22 characters")
                .doesNotContain("short-hush");
        assertThat(hub(Map.of("DOYEN_KEY", "a.d:short-hush")))
                .as("a short secret is accepted on loopback")
                .isZero();
    }

    @Test
    void on_loopback_the_address_of_the_console_contains_a_new_admin_key_for_each_run() {
        assertThat(hub(Map.of())).isZero();
        assertThat(hub(Map.of())).isZero();
        List<String> keys = Pattern.compile("console +http://localhost:[0-9]+/console/#key=([A-Za-z0-9_-]{22})\n")
                .matcher(out.toString())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void a_chosen_admin_key_is_not_printed_and_must_be_long() {
        assertThat(hub(Map.of("DOYEN_ADMIN_KEY", STRONG))).isZero();
        assertThat(out.toString()).contains("/console/\n").doesNotContain(STRONG);
        assertThat(hub(Map.of("DOYEN_ADMIN_KEY", "hush"))).isEqualTo(2);
        assertThat(err.toString())
                .contains("DOYEN_ADMIN_KEY cannot be used: the admin key has 4 characters; it needs 22 to 200")
                .doesNotContain("hush");
    }

    @Test
    void a_hub_for_other_machines_prints_no_admin_key() {
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:" + STRONG), "--bind", "0.0.0.0"))
                .isZero();
        assertThat(out.toString()).doesNotContain("console");
    }

    @Test
    void the_settings_are_checked_without_serving() throws Exception {
        var settings =
                Files.writeString(folder.resolve("hub.yaml"), "channels:\n  - channel: 'jobs:*'\n    fenced: true\n");
        lifecycle = server -> {
            throw new AssertionError("the command must not start a server");
        };
        assertThat(hub(Map.of(), "--settings", settings.toString(), "--check-settings"))
                .isZero();
        assertThat(out.toString()).contains("channel: \"jobs:*\"", "fenced: [leader]", "connections: 10000");
        Files.writeString(settings, "channels:\n  - chanel: x\n");
        assertThat(hub(Map.of(), "--settings", settings.toString(), "--check-settings"))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("doyen: hub.yaml:2: channels[1].chanel is unknown; there are channel, ");
    }

    @Test
    void only_a_hub_with_a_settings_file_reloads_at_SIGHUP() throws Exception {
        var settings = Files.writeString(folder.resolve("hub.yaml"), "keys: [{key: 'x.y:z'}]");
        var canReload = new ArrayList<Boolean>();
        lifecycle = server -> canReload.add(server.canReload());
        assertThat(hub(Map.of(), "--settings", settings.toString())).isZero();
        assertThat(hub(Map.of("DOYEN_KEY", "x.y:z"))).isZero();
        assertThat(canReload).containsExactly(true, false);
    }

    @Test
    void the_key_set_of_a_token_issuer_must_be_valid() throws Exception {
        var settings = Files.writeString(
                folder.resolve("hub.yaml"),
                "token-issuers: [{name: login, jwks: '" + folder.resolve("none.json")
                        + "', capability: {'*': ['*']}}]");
        assertThat(hub(Map.of(), "--settings", settings.toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("The keys of a token issuer cannot be read: " + folder.resolve("none.json")
                        + " does not exist");
    }

    @ParameterizedTest
    @CsvSource({
        "--port,70000,must be from 0,2",
        "--claim-ttl,61s,60000ms,2",
        "--election,~x,begins with ~,2",
        "--settings,/nowhere/hub.yaml,cannot be read,1"
    })
    void invalid_values_are_rejected_in_one_line(String flag, String value, String remedy, int status) {
        assertThat(hub(Map.of(), flag, value)).isEqualTo(status);
        assertThat(err.toString()).contains(remedy);
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void an_invalid_key_in_the_environment_is_rejected_and_not_printed() {
        assertThat(hub(Map.of("DOYEN_KEYS", "a.b:c,hush"))).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("doyen: DOYEN_KEYS cannot be used")
                .doesNotContain("hush");
    }

    @Test
    void with_a_certificate_the_printed_addresses_are_https() throws Exception {
        var files = ServerCertificate.in(folder);
        assertThat(hub(
                        Map.of(),
                        "--tls-cert",
                        files.certificate().toString(),
                        "--tls-key",
                        files.key().toString(),
                        "--tls-redirect",
                        "localhost:0"))
                .isZero();
        assertThat(out.toString())
                .contains("hub            https://localhost:", "console        https://localhost:")
                .contains("elector API    https://localhost:", "probes         http://localhost:")
                .containsPattern("redirect       http://localhost:[0-9]+/ to HTTPS");
    }

    @ParameterizedTest
    @CsvSource({
        "--tls-cert,x.pem,--tls-cert also needs --tls-key FILE; give both or neither",
        "--tls-key,x.pem,--tls-key also needs --tls-cert FILE; give both or neither",
        "--tls-client-ca,x.pem,--tls-client-ca has no effect without TLS",
        "--tls-redirect,localhost:0,--tls-redirect has no effect without TLS",
        "--tls-probes,true,--tls-probes has no effect without TLS",
    })
    void incomplete_TLS_options_are_rejected(String flag, String value, String remedy) {
        assertThat(flag.equals("--tls-probes") ? hub(Map.of(), flag) : hub(Map.of(), flag, value))
                .isEqualTo(2);
        assertThat(err.toString()).contains(remedy);
    }

    @Test
    void a_certificate_that_cannot_be_read_is_rejected_with_its_file() {
        assertThat(hub(Map.of(), "--tls-cert", "/nowhere/x.pem", "--tls-key", "/nowhere/x.key"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("/nowhere/x.pem does not exist");
    }

    @Test
    void the_leases_can_be_in_another_store() {
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:c"), "--store", "memory:")).isZero();
        assertThat(stores).containsExactly("memory:");
    }

    private static int status(String url) {
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private int hub(Map<String, String> environment, String... more) {
        var arguments = new ArrayList<>(List.of("hub", "--data", folder.toString()));
        for (String flag : List.of("--port", "--elector-port", "--probe-port")) {
            if (!List.of(more).contains(flag)) {
                arguments.addAll(List.of(flag, "0"));
            }
        }
        arguments.addAll(List.of(more));
        return Doyen.run(
                (store, settings) -> {
                    stores.add(store);
                    return StrictClaims.withElection(settings.watched().get(0));
                },
                environment,
                server -> lifecycle.serveUntilStopped(server),
                signals -> {},
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments.toArray(String[]::new));
    }
}
