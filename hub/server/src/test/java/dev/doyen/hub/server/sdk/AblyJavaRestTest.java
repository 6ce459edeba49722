package dev.doyen.hub.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.sdk.AblyClient.Wire;
import dev.doyen.hub.settings.HubSettings;
import io.ably.lib.rest.AblyRest;
import io.ably.lib.types.AblyException;
import io.ably.lib.types.ClientOptions;
import io.ably.lib.types.Message;
import io.ably.lib.types.Param;
import io.ably.lib.util.Log;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the unmodified official Java SDK over HTTP, in JSON and in msgpack. */
@Timeout(180)
final class AblyJavaRestTest {

    private static final String ROOM = "room: ü/,";

    private HubServer server;

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.withHub(HubSettings.defaults(), StrictClaims.withElection(RunningServer.CHANNEL));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ClientOptions options(Wire wire) throws AblyException {
        var options = new ClientOptions(RunningServer.KEY);
        options.restHost = "localhost";
        options.port = server.hubAddress().getPort();
        options.tls = false;
        options.useBinaryProtocol = wire == Wire.MSGPACK;
        options.logLevel = Log.NONE;
        return options;
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void published_messages_are_in_the_history_pages(Wire wire) throws Exception {
        try (var rest = new AblyRest(options(wire))) {
            var channel = rest.channels.get(ROOM);
            var object = JsonParser.parseString("{\"n\":1,\"nested\":[\"ü\",null]}");
            channel.publish("text", "hello");
            channel.publish(new Message[] {new Message("object", object), new Message("bytes", new byte[] {1, -1})});

            var page = channel.history(new Param[] {new Param("limit", "2"), new Param("direction", "forwards")});
            var messages = new ArrayList<>(Arrays.asList(page.items()));
            assertThat(page.hasNext()).isTrue();
            page = page.next();
            messages.addAll(Arrays.asList(page.items()));

            assertThat(page.hasNext()).isFalse();
            assertThat(messages).extracting(message -> message.name).containsExactly("text", "object", "bytes");
            assertThat(messages.get(0).data).isEqualTo("hello");
            assertThat(messages.get(1).data).isEqualTo(object);
            assertThat(messages.get(2).data).isEqualTo(new byte[] {1, -1});
            assertThat(page.first().items()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void it_returns_the_time_and_the_members(Wire wire) throws Exception {
        try (var rest = new AblyRest(options(wire));
                var anna = new AblyClient(server.hubAddress(), wire, "anna").connected()) {
            anna.attached(ROOM).enter("hi");

            long before = System.currentTimeMillis();
            assertThat(rest.time()).isBetween(before, System.currentTimeMillis());
            var presence = rest.channels.get(ROOM).presence;
            assertThat(presence.get(null).items())
                    .extracting(member -> member.action + " " + member.clientId + " " + member.data)
                    .containsExactly("present anna hi");
            assertThat(presence.history(null).items())
                    .extracting(member -> member.action + " " + member.clientId + " " + member.data)
                    .containsExactly("enter anna hi");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_rejection_has_its_code_and_sentence(Wire wire) throws Exception {
        var wrong = options(wire);
        wrong.key = "app.id:guess";
        try (var rest = new AblyRest(wrong)) {
            assertThatThrownBy(() -> rest.channels.get(ROOM).history(null))
                    .isInstanceOfSatisfying(AblyException.class, refused -> {
                        assertThat(refused.errorInfo.code).isEqualTo(40101);
                        assertThat(refused.errorInfo.statusCode).isEqualTo(401);
                        assertThat(refused.errorInfo.message).contains("its secret is wrong");
                    });
        }
    }

    /**
     * Tests the challenge of the hub (header {@code WWW-Authenticate}). The SDK renews a token only after a 401 with
     * the expected challenge, and crashes on other challenges.
     */
    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_token_that_has_expired_is_renewed_and_the_request_succeeds(Wire wire) throws Exception {
        var byToken = options(wire);
        byToken.useTokenAuth = true;
        byToken.defaultTokenParams.ttl = 2_000;
        byToken.defaultTokenParams.clientId = "anna";
        try (var rest = new AblyRest(byToken)) {
            var channel = rest.channels.get(ROOM);
            channel.publish("first", "1");
            var token = rest.auth.getTokenDetails().token;
            // Disable the SDK's own expiry check, so that the hub rejects the token.
            rest.auth.getTokenDetails().expires = 0;
            while (System.currentTimeMillis() <= rest.auth.getTokenDetails().issued + 2_000) {
                new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
            }
            channel.publish("second", "2");

            assertThat(rest.auth.getTokenDetails().token).isNotEqualTo(token);
        }
        try (var rest = new AblyRest(options(wire))) {
            assertThat(rest.channels.get(ROOM).history(null).items())
                    .extracting(message -> message.name + " by " + message.clientId)
                    .containsExactly("second by anna", "first by anna");
        }
    }
}
