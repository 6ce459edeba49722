package dev.doyen.demo.ring.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.demo.DemoRequests;
import dev.doyen.demo.ring.RecordingParameters;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the recordings of the ring visualizer over real sockets. Also tests the limit of waiting requests. */
@Timeout(180)
class RingVisualizerOverHttpTest {

    @AutoClose
    private final DemoRequests demo = new DemoRequests();

    RingVisualizerOverHttpTest() throws Exception {}

    @Test
    void a_recording_contains_the_members_and_the_messages() throws Exception {
        HttpResponse<String> answer = demo.get("/ring/recording?n=4&order=worst");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        JsonNode recording = new ObjectMapper().readTree(answer.body());
        assertThat(recording.path("numbers").toString()).isEqualTo("[4,3,2,1]");
        assertThat(recording.path("whole").asBoolean()).isTrue();
        var kinds = new ArrayList<String>();
        recording.path("events").forEach(event -> {
            if (event.path("what").asText().equals("sent")) {
                kinds.add(event.path("kind").asText());
            }
        });
        assertThat(kinds.stream().filter("elect"::equals)).hasSize(10);
        assertThat(kinds.stream().filter("elected"::equals)).hasSize(4);
    }

    @Test
    void invalid_values_are_rejected_with_a_sentence() throws Exception {
        HttpResponse<String> answer = demo.get("/ring/recording?n=1000");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("n is 1000; its bounds are 2 and 64.\n");
        assertThat(demo.get("/ring/recording?n=4&n=5").body())
                .isEqualTo("a parameter occurs twice; give each parameter once.\n");
        assertThat(demo.get("/ring/recording?n=%253C").body())
                .isEqualTo("n is \"%3C\"; it is a whole number from 2 to 64.\n");
    }

    @Test
    void only_get_is_served_and_other_paths_belong_to_the_page() throws Exception {
        assertThat(demo.post("/ring/recording", null).statusCode()).isEqualTo(405);
        assertThat(demo.get("/ring").statusCode()).isEqualTo(308);
        assertThat(demo.get("/ring/nothing").statusCode()).isEqualTo(404);
        assertThat(demo.get("/ringing").body()).contains("the demo page is at /");
    }

    @Test
    void requests_above_the_limit_are_rejected() {
        var recorder = new ThrottledRecorder();
        RecordingParameters plan = RecordingParameters.of(Map.of("n", "64", "order", "worst"));
        var made = new ArrayList<CompletableFuture<byte[]>>();
        boolean refused = false;
        // The first recording takes longer to make than the other requests take to arrive. Therefore the other
        // requests must wait.
        for (int i = 0; i < 10 * ThrottledRecorder.MAX_WAITING && !refused; i++) {
            try {
                made.add(recorder.make(plan));
            } catch (RejectedExecutionException e) {
                refused = true;
            }
        }
        assertThat(refused).isTrue();
        assertThat(made).hasSizeBetween(ThrottledRecorder.MAX_WAITING, 2 * ThrottledRecorder.MAX_WAITING);
        made.forEach(each -> assertThat(each.join()).isNotEmpty());
    }

    @Test
    void a_hub_without_the_demo_serves_no_recordings() throws Exception {
        var keys = HubKeys.of(List.of(RunningServer.KEY));
        try (var hub = HubServer.start(
                RunningServer.settings(SessionLimits.DEFAULT),
                new Hub(HubSettings.defaults(), keys),
                RunningServer.ADMIN_KEY,
                HubPages.CLIENT_ONLY,
                StrictClaims.withElection(RunningServer.CHANNEL))) {
            assertThat(demo.get(hub.hubAddress(), "/ring/recording").statusCode())
                    .isEqualTo(404);
        }
    }
}
