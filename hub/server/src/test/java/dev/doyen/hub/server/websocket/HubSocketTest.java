package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.event.LossCause;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.ProtocolMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HubSocketTest {

    private static final int MAX_FRAME = SessionLimits.DEFAULT.maxFrameBytes();
    private final RunningServer server;
    private final FrameCodec codec = new FrameCodec(MAX_FRAME);

    HubSocketTest() throws Exception {
        server = new RunningServer();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void json_is_accepted_in_text_and_binary_frames() throws Exception {
        try (var socket = server.connected("?format=json")) {
            socket.send("{\"action\":0,\"id\":\"a\"}");
            assertThat(socket.read().text()).isEqualTo("{\"action\":0,\"id\":\"a\"}");

            socket.sendBinary("{\"action\":0,\"id\":\"b\"}".getBytes(StandardCharsets.UTF_8));
            var answer = socket.read();
            assertThat(answer.opcode()).isEqualTo(RawWebSocket.TEXT);
            assertThat(answer.text()).isEqualTo("{\"action\":0,\"id\":\"b\"}");
        }
    }

    @Test
    void msgpack_is_answered_in_binary() throws Exception {
        try (var socket = server.connected("?format=msgpack")) {
            var heartbeat = ProtocolMessage.builder(Action.HEARTBEAT).id("x").build();
            socket.sendBinary(codec.encode(heartbeat, Format.MSGPACK));

            var answer = socket.read();

            assertThat(answer.opcode()).isEqualTo(RawWebSocket.BINARY);
            assertThat(codec.decode(answer.payload(), Format.MSGPACK)).isEqualTo(heartbeat);
        }
    }

    @Test
    void the_query_reaches_the_hub_decoded() throws Exception {
        try (var socket = server.connected("?key=app.id%3As&clientId=a%20b&clientId=last&echo=false")) {
            assertThat(server.hub().nextInput()).contains("key=app.id:s", "clientId=last", "echo=false", "JSON");
        }
    }

    @Test
    void a_query_that_cannot_be_decoded_still_gets_its_handshake() throws Exception {
        try (var socket = server.connected("?key=%zz")) {
            assertThat(server.hub().nextInput()).startsWith("opened 1 JSON {}");
        }
    }

    @Test
    void wrong_credentials_get_a_frame_and_a_close_of_1000() throws Exception {
        try (var socket = new RawWebSocket(server.hubAddress(), "?key=refuse")) {
            assertThat(socket.read().text()).contains("\"action\":9", "40101");
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            socket.sendFrame(0x80 | RawWebSocket.CLOSE, new byte[] {3, (byte) 0xE8});
            socket.readEnd();
        }
    }

    @Test
    void a_message_reaches_each_client_in_its_format() throws Exception {
        try (var json = server.connected("");
                var msgpack = server.connected("?format=msgpack");
                var other = server.connected("?format=json")) {
            json.send("{\"action\":15,\"channel\":\"c\",\"id\":\"m\"}");

            assertThat(json.read().text()).isEqualTo("{\"action\":15,\"id\":\"m\",\"channel\":\"c\"}");
            assertThat(other.read().text()).isEqualTo("{\"action\":15,\"id\":\"m\",\"channel\":\"c\"}");
            assertThat(codec.decode(msgpack.read().payload(), Format.MSGPACK).id())
                    .isEqualTo("m");
        }
    }

    @Test
    void a_message_is_encoded_once_per_format() throws Exception {
        var sockets = new ArrayList<RawWebSocket>();
        try {
            for (int i = 0; i < 20; i++) {
                sockets.add(server.connected(i % 4 == 0 ? "?format=msgpack" : ""));
            }
            sockets.get(1).send("{\"action\":15,\"channel\":\"c\",\"id\":\"m\"}");
            for (var socket : sockets) {
                assertThat(socket.read().payload()).isNotEmpty();
            }
            assertThat(server.hub().encodings(Action.MESSAGE, Format.JSON)).isEqualTo(1);
            assertThat(server.hub().encodings(Action.MESSAGE, Format.MSGPACK)).isEqualTo(1);
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void frames_of_every_length_encoding_arrive() throws Exception {
        try (var socket = server.connected("")) {
            for (int length : new int[] {1, 90, 125, 126, 65_000, 66_000, 500_000}) {
                var id = "i".repeat(length);
                socket.send("{\"action\":0,\"id\":\"" + id + "\"}");
                assertThat(socket.read().text()).hasSize(length + 20).contains(id);
            }
        }
    }

    @Test
    void a_fragmented_message_is_joined() throws Exception {
        try (var socket = server.connected("")) {
            socket.sendFrame(RawWebSocket.TEXT, "{\"action\":0,".getBytes(StandardCharsets.UTF_8));
            socket.sendFrame(0x80, "\"id\":\"joined\"}".getBytes(StandardCharsets.UTF_8));

            assertThat(socket.read().text()).contains("joined");
        }
    }

    @Test
    void a_malformed_message_is_reported_only_to_its_sender() throws Exception {
        try (var other = server.connected("");
                var socket = server.connected("")) {
            socket.send("no json at all");

            assertThat(socket.read().text()).contains("40000");
            socket.send("{\"action\":0,\"id\":\"still here\"}");
            assertThat(socket.read().text()).contains("still here");
            other.send("{\"action\":0,\"id\":\"undisturbed\"}");
            assertThat(other.read().text()).contains("undisturbed");
        }
    }

    @Test
    void a_long_frame_ends_its_session_with_a_sentence() throws Exception {
        try (var other = server.connected("");
                var socket = server.connected("")) {
            socket.sendFrame(0x80 | RawWebSocket.TEXT, new byte[MAX_FRAME + 1]);

            assertThat(socket.read().text()).contains("longer than " + MAX_FRAME + " bytes");
            assertThat(socket.read().text()).contains("\"action\":6");
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 2");
            other.send("{\"action\":0,\"id\":\"undisturbed\"}");
            assertThat(other.read().text()).contains("undisturbed");
        }
    }

    @Test
    void long_fragments_end_their_session() throws Exception {
        try (var socket = server.connected("")) {
            socket.sendFrame(RawWebSocket.TEXT, new byte[MAX_FRAME - 10]);
            socket.sendFrame(0x80, new byte[11]);

            assertThat(socket.read().text()).contains("longer than " + MAX_FRAME + " bytes");
            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");
        }
    }

    @Test
    void a_frame_that_violates_the_rfc_ends_its_session() throws Exception {
        try (var socket = server.connected("")) {
            socket.sendRaw(new byte[] {(byte) 0xF1, 0, 1, 2, 3});

            assertThat(socket.read().text()).contains("RFC 6455");
            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");
        }
    }

    @Test
    void a_ping_is_answered_with_its_own_payload() throws Exception {
        try (var socket = server.connected("")) {
            socket.sendFrame(0x80 | RawWebSocket.PING, new byte[] {7, 8, 9});

            var pong = socket.read();

            assertThat(pong.opcode()).isEqualTo(RawWebSocket.PONG);
            assertThat(pong.payload()).containsExactly(7, 8, 9);
        }
    }

    @Test
    void a_close_is_answered_and_reported_to_the_hub() throws Exception {
        try (var socket = server.connected("")) {
            socket.sendFrame(0x80 | RawWebSocket.CLOSE, new byte[] {3, (byte) 0xE8});

            assertThat(socket.read().closeCode()).isEqualTo(1000);
            socket.readEnd();
            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");
        }
    }

    @Test
    void a_lost_client_is_reported_to_the_hub() throws Exception {
        server.connected("").vanish();

        assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 1");
    }

    @Test
    void frames_sent_before_a_close_arrive_before_it() throws Exception {
        try (var socket = server.connected("")) {
            socket.send("{\"action\":0,\"id\":\"1\"}").send("{\"action\":7}").send("{\"action\":0,\"id\":\"late\"}");

            assertThat(socket.read().text()).contains("\"id\":\"1\"");
            assertThat(socket.read().text()).isEqualTo("{\"action\":8}");
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            socket.readEnd();
        }
        try (var next = server.connected("")) {
            assertThat(server.hub().nextInputOf("opened 2")).startsWith("opened 2");
        }
    }

    @Test
    void a_failure_of_the_hub_ends_only_its_session() throws Exception {
        try (var other = server.connected("");
                var socket = server.connected("")) {
            socket.send("{\"action\":12,\"channel\":\"c\"}");

            assertThat(socket.read().text()).contains("\"action\":6", "50003");
            assertThat(socket.read().opcode()).isEqualTo(RawWebSocket.CLOSE);
            assertThat(server.refusals())
                    .as("the console shows the rejection")
                    .singleElement()
                    .asString()
                    .startsWith("client-2 c 50003 the hub failed");
            assertThat(server.hub().nextInputOf("lost")).isEqualTo("lost 2");
            other.send("{\"action\":0,\"id\":\"undisturbed\"}");
            assertThat(other.read().text()).contains("undisturbed");
        }
    }

    @Test
    void claims_are_passed_to_the_leases_and_answered() throws Exception {
        try (var first = server.connected("");
                var second = server.connected("")) {
            first.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(server.hub().nextInputOf("granted")).isEqualTo("granted room to client-1 in term 1");
            second.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(server.hub().nextInputOf("refused")).isEqualTo("refused room to client-2, held by client-1");
            server.claims().lose("room", LossCause.SUPERSEDED);
            assertThat(server.hub().nextInputOf("lost claim")).isEqualTo("lost claim room SUPERSEDED");
        }
    }

    @Test
    void observers_get_rejections_with_their_channel_and_no_information() throws Exception {
        try (var first = server.connected("");
                var second = server.connected("")) {
            first.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(server.hub().nextInputOf("granted")).startsWith("granted");
            second.send("{\"action\":10,\"channel\":\"room\"}");
            assertThat(second.read().text()).contains("\"action\":11", "some messages are missing");
            second.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(second.read().text()).contains("\"action\":2", "another member holds the slot");

            assertThat(server.refusals()).containsExactly("client-2 room 40910 another member holds the slot");
        }
    }

    @Test
    void a_claim_that_cannot_be_attempted_is_rejected() throws Exception {
        try (var first = server.connected("")) {
            first.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(server.hub().nextInputOf("granted")).startsWith("granted");
            first.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(server.hub().nextInputOf("refused")).isEqualTo("refused room to client-1, held by nobody known");
        }
    }

    @Test
    void the_hub_is_woken_at_its_timer() throws Exception {
        try (var socket = server.connected("")) {
            server.hub().wakeAt(System.nanoTime() + 50_000_000);
            socket.send("{\"action\":0}");

            assertThat(server.hub().nextInputOf("woken")).isEqualTo("woken");
        }
    }

    @Test
    void stopping_disconnects_every_client() throws Exception {
        try (var json = server.connected("");
                var msgpack = server.connected("?format=msgpack")) {
            server.server().close();

            assertThat(json.read().text()).contains("\"action\":6", "shutting down");
            assertThat(json.read().closeCode()).isEqualTo(1000);
            assertThat(codec.decode(msgpack.read().payload(), Format.MSGPACK).action())
                    .isEqualTo(Action.DISCONNECTED);
            assertThat(server.claims().closed()).isTrue();
        }
    }

    @Test
    void invalid_handshakes_are_rejected_with_a_sentence() throws Exception {
        assertThat(answerTo(RawWebSocket.handshake("/elsewhere")))
                .startsWith("HTTP/1.1 404 ")
                .contains("at /");
        for (String version : List.of("99", "8", "7", "0", "", "013")) {
            assertThat(answerTo(RawWebSocket.handshake("/").replace("Version: 13", "Version: " + version)))
                    .as("version " + version)
                    .startsWith("HTTP/1.1 426 ")
                    .containsIgnoringCase("sec-websocket-version: 13");
        }
        assertThat(answerTo(RawWebSocket.handshake("/").replace("Sec-WebSocket-Version: 13\r\n", "")))
                .startsWith("HTTP/1.1 426 ");
        assertThat(answerTo(RawWebSocket.handshake("/").replaceAll("Sec-WebSocket-Key: .*\r\n", "")))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void a_key_of_many_kilobytes_fits_into_the_request_line() throws Exception {
        try (var socket = server.connected("?access_token=" + "t".repeat(20_000))) {
            assertThat(server.hub().nextInput()).contains("ttttt");
        }
    }

    private String answerTo(String request) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            return socket.send(request).readResponse();
        }
    }
}
