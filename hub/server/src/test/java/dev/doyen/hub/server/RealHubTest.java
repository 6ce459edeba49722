package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the whole server and a real hub with raw frames in JSON and msgpack. */
final class RealHubTest {

    private static final String ROOM = "room";
    private final FrameCodec codec = new FrameCodec(SessionLimits.DEFAULT.maxFrameBytes());
    private final StrictClaims claims = StrictClaims.withElection(RunningServer.CHANNEL);
    private final HubServer server;

    RealHubTest() throws Exception {
        server = RunningServer.withHub(HubSettings.defaults(), claims);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** A protocol client that handles one frame at a time. */
    private final class Client implements AutoCloseable {
        private final RawWebSocket socket;
        private final Format format;
        private long nextSerial;

        Client(String clientId, Format format) throws Exception {
            this(RunningServer.KEY, clientId, format);
        }

        Client(String key, String clientId, Format format) throws Exception {
            this.format = format;
            var query = "?key=" + key + "&clientId=" + clientId + "&v=4&format="
                    + (format == Format.JSON ? "json" : "msgpack");
            socket = new RawWebSocket(server.hubAddress(), query);
        }

        Client attached(String channel) throws Exception {
            assertThat(read().action()).isEqualTo(Action.CONNECTED);
            send(ProtocolMessage.builder(Action.ATTACH).channel(channel).build());
            readUntil(Action.ATTACHED);
            return this;
        }

        void send(ProtocolMessage message) throws Exception {
            var bytes = codec.encode(message, format);
            socket.sendFrame(0x80 | (format == Format.JSON ? RawWebSocket.TEXT : RawWebSocket.BINARY), bytes);
        }

        void claim() throws Exception {
            present(PresenceMessage.of(PresenceAction.ENTER, null, Data.text("leader")));
        }

        void present(PresenceMessage message) throws Exception {
            send(ProtocolMessage.builder(Action.PRESENCE)
                    .channel(ROOM)
                    .msgSerial(nextSerial++)
                    .presence(List.of(message))
                    .build());
        }

        void publish(String text) throws Exception {
            var message = Message.of("n", Data.text(text));
            send(ProtocolMessage.builder(Action.MESSAGE)
                    .channel(ROOM)
                    .msgSerial(nextSerial++)
                    .messages(List.of(message))
                    .build());
        }

        ProtocolMessage read() throws Exception {
            return codec.decode(socket.read().payload(), format);
        }

        ProtocolMessage readUntil(Action action) throws Exception {
            var message = read();
            while (message.action() != action) {
                message = read();
            }
            return message;
        }

        @Override
        public void close() throws Exception {
            socket.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void a_message_is_converted_between_formats(Format format) throws Exception {
        var others = format == Format.JSON ? Format.MSGPACK : Format.JSON;
        try (var anna = new Client("anna", format).attached(ROOM);
                var ben = new Client("ben", others).attached(ROOM)) {
            anna.publish("hallo");

            assertThat(anna.readUntil(Action.ACK).msgSerial()).isEqualTo(0L);
            var received = ben.readUntil(Action.MESSAGE);
            assertThat(received.messages())
                    .singleElement()
                    .satisfies(message -> assertThat(message.data()).isEqualTo(Data.text("hallo")));
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void one_of_two_claims_wins_and_the_other_gets_the_holder(Format format) throws Exception {
        try (var anna = new Client("anna", format).attached(ROOM);
                var ben = new Client("ben", format).attached(ROOM)) {
            anna.claim();
            anna.readUntil(Action.ACK);
            ben.claim();

            var refusal = ben.readUntil(Action.NACK).error();

            assertThat(refusal).isNotNull();
            assertThat(refusal.code()).isEqualTo(40910);
            assertThat(refusal.message()).contains("anna").contains("term 1");
            assertThat(elector("/v1/elections/" + ROOM)).contains("{\"id\":\"anna\",\"term\":1}");
        }
    }

    @Test
    void after_a_leader_closes_the_next_one_has_a_higher_term() throws Exception {
        try (var anna = new Client("anna", Format.MSGPACK).attached(ROOM);
                var ben = new Client("ben", Format.JSON).attached(ROOM)) {
            anna.claim();
            anna.readUntil(Action.ACK);
            anna.send(ProtocolMessage.of(Action.CLOSE));
            anna.readUntil(Action.CLOSED);
            assertThat(anna.socket.read().closeCode()).isEqualTo(1000);

            ben.claim();
            ben.readUntil(Action.ACK);

            assertThat(elector("/v1/elections/" + ROOM)).contains("{\"id\":\"ben\",\"term\":2}");
        }
    }

    @Test
    void C3_a_late_grant_of_a_withdrawn_claim_makes_no_leader_without_a_lease() throws Exception {
        claims.delayNextGrant();
        try (var anna = new Client("anna", Format.JSON).attached(ROOM)) {
            anna.claim();
            anna.present(PresenceMessage.of(PresenceAction.LEAVE, null, Data.NONE));
            anna.claim();

            var event = anna.readUntil(Action.PRESENCE);

            assertThat(event.presence())
                    .singleElement()
                    .satisfies(member ->
                            assertThat(String.valueOf(member.extras())).contains("\"doyen-term\":2,"));
            assertThat(elector("/v1/elections/" + ROOM)).contains("{\"id\":\"anna\",\"term\":2}");
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void a_wrong_key_is_an_error_frame_and_a_close(Format format) throws Exception {
        try (var client = new Client("app.id:wrong", "anna", format)) {
            var error = client.read();

            assertThat(error.action()).isEqualTo(Action.ERROR);
            assertThat(error.error()).isNotNull();
            assertThat(error.error().code()).isEqualTo(40101);
            assertThat(error.error().message()).doesNotContain("the-secret");
            assertThat(client.socket.read().closeCode()).isEqualTo(1000);
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void a_malformed_frame_fails_its_connection(Format format) throws Exception {
        try (var client = new Client("anna", format).attached(ROOM)) {
            client.socket.sendBinary(new byte[] {(byte) 0xC1, 0, 1});

            assertThat(client.readUntil(Action.ERROR).channel()).isNull();
            assertThat(client.socket.read().closeCode()).isEqualTo(1000);
        }
    }

    private String elector(String target) throws Exception {
        try (var socket = new RawSocket(server.electorAddress())) {
            return socket.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
        }
    }
}
