package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
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

/** Tests what {@code doyen hub} serves, and with which options it refuses to start. */
final class HubCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> stores = new ArrayList<>();
    private ServerLifecycle lifecycle = server -> {};

    @Test
    void a_sandbox_serves_this_machine_only() {
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:c"), "--sandbox", "--bind", "0.0.0.0"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--sandbox gives everybody keys who can reach it", "leave out --bind 0.0.0.0");
        assertThat(hub(Map.of(), "--sandbox")).isZero();
    }

    @Test
    void a_node_of_several_needs_what_the_others_have_and_is_no_sandbox() {
        assertThat(hub(Map.of(), "--nodes", "redis://localhost:1")).isEqualTo(2);
        assertThat(err.toString()).contains("a node of several needs the keys that the others have");
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:c"), "--nodes", "redis://localhost:1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("a node of several needs the store that the others have");
        assertThat(hub(
                        Map.of("DOYEN_KEY", "a.b:c"),
                        "--nodes",
                        "redis://localhost:1",
                        "--store",
                        "memory:",
                        "--sandbox"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--sandbox is for one hub by itself");
    }

    @Test
    void it_serves_and_says_where_and_tells_no_secret() throws Exception {
        assertThat(hub(Map.of())).isZero();
        assertThat(out.toString()).contains("hub            http://localhost:", "keys           doyen.demo");
        var secret = Files.readString(folder.resolve("key")).strip().replaceAll(".*:", "");
        assertThat(out.toString() + err).doesNotContain(secret);
        assertThat(stores).containsExactly("file:" + folder.toAbsolutePath().resolve("claims"));
    }

    @Test
    void there_is_no_page_and_so_nobody_is_told_the_key() {
        lifecycle = server -> {
            var port = Pattern.compile("hub +(http://localhost:[0-9]+/)").matcher(out.toString());
            assertThat(port.find()).isTrue();
            assertThat(status(port.group(1))).isEqualTo(404);
            assertThat(status(port.group(1) + "config.json")).isEqualTo(404);
        };
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:c"))).isZero();
    }

    @Test
    void beyond_this_machine_only_with_a_key_of_ones_own() throws Exception {
        assertThat(hub(Map.of(), "--bind", "0.0.0.0")).isEqualTo(2);
        assertThat(err.toString()).contains("--bind 0.0.0.0 lets other machines in; give the hub a key of your own");
        assertThat(hub(Map.of("DOYEN_KEY", "a.b:c"), "--bind", "0.0.0.0")).isZero();
        assertThat(hub(Map.of("DOYEN_KEYS", "a.b:c, a.d:e"), "--bind", "0.0.0.0"))
                .isZero();
        assertThat(out.toString()).contains("keys           a.b, a.d");
        var settings = Files.writeString(folder.resolve("hub.yaml"), "keys: [{key: 'x.y:${Z}'}]");
        assertThat(hub(Map.of("Z", "zz"), "--bind", "0.0.0.0", "--settings", settings.toString()))
                .isZero();
        assertThat(folder.resolve("key"))
                .as("no key is made up beside one's own")
                .doesNotExist();
    }

    @Test
    void the_settings_are_checked_without_serving() throws Exception {
        var settings =
                Files.writeString(folder.resolve("hub.yaml"), "channels:\n  - channel: 'jobs:*'\n    fenced: true\n");
        lifecycle = server -> {
            throw new AssertionError("nothing is to be served");
        };
        assertThat(hub(Map.of(), "--settings", settings.toString(), "--check-settings"))
                .isZero();
        assertThat(out.toString()).contains("channel: \"jobs:*\"", "fenced: [leader]", "connections: 10000");
        Files.writeString(settings, "channels:\n  - chanel: x\n");
        assertThat(hub(Map.of(), "--settings", settings.toString(), "--check-settings"))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("doyen: hub.yaml:2: channels[1].chanel is unknown; there are channel, ");
    }

    @ParameterizedTest
    @CsvSource({
        "--port,70000,must be from 0,2",
        "--claim-ttl,61s,60000ms,2",
        "--election,~x,begins with ~,2",
        "--settings,/nowhere/hub.yaml,cannot be read,1"
    })
    void what_cannot_be_meant_is_refused_in_one_line(String flag, String value, String remedy, int status) {
        assertThat(hub(Map.of(), flag, value)).isEqualTo(status);
        assertThat(err.toString()).contains(remedy);
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void a_bad_key_of_the_environment_is_refused_without_repeating_it() {
        assertThat(hub(Map.of("DOYEN_KEYS", "a.b:c,hush"))).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("doyen: DOYEN_KEYS cannot be used")
                .doesNotContain("hush");
    }

    @Test
    void another_store_may_keep_the_leases() {
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
                (store, election, claimTtl) -> {
                    stores.add(store);
                    return StrictClaims.knowing(election);
                },
                environment,
                server -> lifecycle.serveUntilStopped(server),
                signals -> {},
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments.toArray(String[]::new));
    }
}
