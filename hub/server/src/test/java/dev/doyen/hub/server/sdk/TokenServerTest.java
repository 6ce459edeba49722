package dev.doyen.hub.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.sdk.AblyClient.Wire;
import dev.doyen.hub.settings.HubSettings;
import io.ably.lib.types.AblyException;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the token servers of {@code examples/token-server} with the official Java SDK. */
@Timeout(180)
final class TokenServerTest {

    private static final Path EXAMPLES = Path.of("../../examples/token-server").toAbsolutePath();
    private static final String COOKIE = "session=1b9e";

    private static List<String> command(String file) {
        var command = new ArrayList<String>();
        command.add(
                file.endsWith(".java")
                        ? Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()
                        : "node");
        command.add(EXAMPLES.resolve(file).toString());
        command.add("0");
        return command;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TokenServer.java", "token-server.mjs"})
    void an_sdk_connects_with_the_token_of_its_user(String file) throws Exception {
        var builder = new ProcessBuilder(command(file)).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("HUB_KEY", RunningServer.KEY);
        Process process = builder.start();
        try (BufferedReader out = process.inputReader();
                var hub = RunningServer.withHub(
                        HubSettings.defaults(), StrictClaims.withElection(RunningServer.CHANNEL))) {
            String url = out.readLine();
            assertThat(url).startsWith("http://localhost:");
            try (var ann = AblyClient.withTokenServer(hub.hubAddress(), Wire.JSON, url, COOKIE)
                    .connected()) {
                var orders = ann.attached("orders");
                orders.enter("hello");
                assertThat(orders.present()).containsExactly("ann hello");
                orders.update("leader");
                assertThatThrownBy(() -> ann.attached("another"))
                        .isInstanceOfSatisfying(
                                AblyException.class,
                                refusal -> assertThat(refusal.errorInfo.code).isEqualTo(40160));
            }
            var unknown = HttpRequest.newBuilder(URI.create(url)).build();
            assertThat(HttpClient.newHttpClient()
                            .send(unknown, BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
        } finally {
            process.destroy();
        }
    }
}
