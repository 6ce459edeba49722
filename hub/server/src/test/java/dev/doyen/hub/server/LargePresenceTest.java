package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.settings.HubSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests presence sets that are larger than the outbound queue of a session. */
class LargePresenceTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ATTACH = 10;
    private static final int PRESENCE = 14;
    private static final int ACK = 1;
    private static final int SYNC = 16;

    @ParameterizedTest
    @CsvSource({"200, 65000", "1000, 9000"})
    void subscribers_receive_every_member_and_stay_connected(int members, int bytes) throws Exception {
        HubSettings settings = HubSettings.builder()
                .maxMembersPerChannel(1_000)
                .inboundRatePerSecond(2_000)
                .inboundBurst(2_000)
                .build();
        try (var server = RunningServer.withHub(settings, StrictClaims.withElection("e"));
                var writer = socket(server, 65_536)) {
            enter(writer, members, "x".repeat(bytes));
            var readers = List.of(socket(server, 4_096), socket(server, 4_096), socket(server, 4_096));
            for (RawWebSocket reader : readers) {
                reader.send("{\"action\":" + ATTACH + ",\"channel\":\"a\"}");
            }
            // Wait until the hub has sent the first pages to the readers, which do not read yet.
            roundTrip(writer);
            for (RawWebSocket reader : readers) {
                assertThat(membersOf(reader)).hasSize(members);
                roundTrip(reader);
                reader.close();
            }
        }
    }

    private static RawWebSocket socket(HubServer server, int receiveBuffer) throws Exception {
        var socket = new RawWebSocket(server.hubAddress(), "?key=" + RunningServer.KEY, receiveBuffer);
        assertThat(read(socket).path("action").asInt())
                .as("the first frame is CONNECTED")
                .isEqualTo(4);
        return socket;
    }

    private static JsonNode read(RawWebSocket socket) throws Exception {
        return JSON.readTree(socket.read().text());
    }

    private static void enter(RawWebSocket writer, int members, String data) throws Exception {
        for (int i = 0; i < members; i++) {
            writer.send("{\"action\":" + PRESENCE + ",\"channel\":\"a\",\"msgSerial\":" + i
                    + ",\"presence\":[{\"action\":2,\"clientId\":\"client-" + i + "\",\"data\":\"" + data + "\"}]}");
            int acked = -1;
            while (acked < i) {
                JsonNode frame = read(writer);
                acked = frame.path("action").asInt() == ACK
                        ? frame.path("msgSerial").asInt()
                        : acked;
            }
        }
    }

    private static void roundTrip(RawWebSocket socket) throws Exception {
        socket.send("{\"action\":0,\"id\":\"ping\"}");
        while (!read(socket).path("id").asText().equals("ping")) {
            // Other frames may come first.
        }
    }

    private static Set<String> membersOf(RawWebSocket reader) throws Exception {
        var clients = new HashSet<String>();
        String serial = "";
        while (!serial.endsWith(":")) {
            JsonNode frame = read(reader);
            assertThat(frame.path("action").asInt())
                    .as("the session is not disconnected")
                    .isNotEqualTo(6);
            if (frame.path("action").asInt() == SYNC) {
                serial = frame.path("channelSerial").asText();
                frame.path("presence")
                        .forEach(each -> clients.add(each.path("clientId").asText()));
            }
        }
        return clients;
    }
}
