package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.http.RawSocket;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a single hub stores the revocations of tokens before it answers. */
final class StoredRevocationsTest {

    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString(RunningServer.KEY.getBytes(StandardCharsets.UTF_8));

    @TempDir
    Path data;

    @Test
    void a_revoked_token_stays_revoked_after_a_restart() throws Exception {
        String token;
        try (var server = RunningServer.withData(data)) {
            String answer = post(server, "requestToken", "{\"clientId\":\"ann\",\"ttl\":3600000}", BASIC);
            int begin = answer.indexOf("\"token\":\"") + 9;
            token = "Bearer " + answer.substring(begin, answer.indexOf('"', begin));
            assertThat(channels(server, token)).startsWith("HTTP/1.1 200 ");

            assertThat(post(server, "revokeTokens", "{\"targets\":[\"clientId:ann\"]}", BASIC))
                    .startsWith("HTTP/1.1 201 ");
            assertThat(Files.readString(data.resolve("revocations"))).contains("clientId:ann");
        }
        try (var server = RunningServer.withData(data)) {
            assertThat(channels(server, token)).startsWith("HTTP/1.1 401 ").contains("40141");
        }
    }

    @Test
    void a_revocation_that_cannot_be_stored_is_reported_and_later_requests_succeed() throws Exception {
        Path gone = Files.createDirectory(data.resolve("gone"));
        try (var server = RunningServer.withData(gone)) {
            Files.delete(gone);
            assertThat(post(server, "revokeTokens", "{\"targets\":[\"clientId:ann\"]}", BASIC))
                    .startsWith("HTTP/1.1 500 ");
            assertThat(channels(server, BASIC)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void a_hub_does_not_start_without_its_revocations() throws Exception {
        Files.writeString(data.resolve("revocations"), "damaged");
        assertThatThrownBy(() -> RunningServer.withData(data))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("move the file away only if revoked tokens may be used again");
    }

    private static String channels(HubServer server, String authorization) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            return socket.send("GET /channels/a/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + authorization
                            + "\r\n\r\n")
                    .readResponse();
        }
    }

    private static String post(HubServer server, String path, String body, String authorization) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            return socket.send("POST /keys/app.id/" + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                            + authorization + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                            + "\r\n\r\n" + body)
                    .readResponse();
        }
    }
}
