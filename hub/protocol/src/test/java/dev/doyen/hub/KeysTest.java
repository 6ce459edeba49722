package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests changes of the keys of a running hub. */
final class KeysTest {

    private static final String PAGES = "app.pages:pages-secret";
    private static final String JOBS = "app.jobs:jobs-secret";
    private static final String NEW = "app.new:new-secret";
    private static final String WITH_TTL = "{\"role\":\"L\",\"ttl\":5000}";

    private final Stage stage = new Stage(new Hub(HubSettings.defaults(), HubKeys.of(List.of(PAGES, JOBS))));

    private Player withKey(String key, String clientId) {
        Player player = stage.open(Map.of("key", key, "clientId", clientId));
        assertThat(player.received()).containsExactly("CONNECTED");
        return player;
    }

    private Player withToken(String token) {
        Player player = stage.open(Map.of("access_token", token));
        assertThat(player.received()).containsExactly("CONNECTED");
        return player;
    }

    /** Returns a token of the key {@code app.pages}. */
    private static String token(String clientId, String more) {
        long seconds = Stage.START_MILLIS / 1_000;
        return Signing.jwtOf(
                "app.pages",
                "{\"iat\":" + seconds + ",\"exp\":" + (seconds + 600) + ",\"x-ably-clientId\":\"" + clientId + "\""
                        + more + "}",
                "pages-secret");
    }

    private void change(HubKey... keys) {
        stage.carry(stage.hub.keysChanged(stage.now(), HubKeys.ofKeys(List.of(keys))));
    }

    private String refusal(Map<String, String> credentials) {
        return stage.open(credentials).received().get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {NEW, "app.pages:another-secret"})
    void connections_of_a_removed_or_changed_key_end_and_all_others_stay(String replacement) {
        Player page = withKey(PAGES, "ann").attach("orders").enter("orders", "here");
        Player guest = withToken(token("bob", "")).attach("orders").enter("orders", "here");
        Player job = withKey(JOBS, "job").attach("orders").enter("orders", "leader");
        stage.grant(7);
        page.take();
        guest.take();
        job.take();

        change(HubKey.of(JOBS), HubKey.of(replacement));

        assertThat(page.received())
                .containsExactly("ERROR 40131/401 the key \"app.pages\" was removed from the hub, or has another secret"
                        + " now; use a current key");
        assertThat(page.open).isFalse();
        assertThat(guest.received())
                .containsExactly(
                        "PRESENCE orders leave:ann'here'",
                        "DISCONNECTED 40141/401 the key \"app.pages\", which signed the token, is no longer valid;"
                                + " request another token");
        assertThat(guest.open).isFalse();
        assertThat(job.received()).containsExactly("PRESENCE orders leave:ann'here'");
        assertThat(job.open).isTrue();
        assertThat(stage.releases).isEmpty();
        assertThat(refusal(Map.of("key", PAGES))).startsWith("ERROR 40101/401 ");
        assertThat(refusal(Map.of("access_token", token("bob", ""))))
                .startsWith(replacement.equals(NEW) ? "ERROR 40400/404 " : "ERROR 40144/401 ");
        withKey(replacement, "cy");
    }

    @Test
    void a_client_of_a_removed_key_resumes_with_a_token_of_another_key() {
        Player guest = withToken(token("bob", "")).attach("orders").enter("orders", "here");
        Player job = withKey(JOBS, "job").attach("orders");
        job.take();
        change(HubKey.of(JOBS), HubKey.of(NEW));
        String id = guest.connectionId;
        long seconds = Stage.START_MILLIS / 1_000;
        guest.params.put(
                "access_token",
                Signing.jwtOf(
                        "app.new",
                        "{\"iat\":" + seconds + ",\"exp\":" + (seconds + 600) + ",\"x-ably-clientId\":\"bob\"}",
                        "new-secret"));

        guest.resume();
        stage.pass(Duration.ofMinutes(1));

        assertThat(guest.connectionId).isEqualTo(id);
        assertThat(job.received()).doesNotContain("PRESENCE orders leave:bob'here'");
    }

    @Test
    void a_connection_of_a_removed_key_without_a_socket_ends_at_once() {
        Player page = withKey(PAGES, "ann").attach("orders").enter("orders", "here");
        Player job = withKey(JOBS, "job").attach("orders");
        page.drop();
        job.take();

        change(HubKey.of(JOBS));

        assertThat(job.received()).containsExactly("PRESENCE orders leave:ann'here'");
        assertThat(stage.hub.counts().connections()).isEqualTo(1);
    }

    @Test
    void C19_a_removed_key_does_not_shorten_the_promise_of_a_leader_without_a_socket() {
        Player page = withKey(PAGES, "ann").enter("orders", WITH_TTL);
        stage.grant(7);
        page.drop();
        Player job = withKey(JOBS, "job").attach("orders");
        stage.pass(Duration.ofSeconds(1));
        job.take();

        change(HubKey.of(JOBS));

        assertThat(job.received()).containsExactly("PRESENCE orders leave:ann'" + WITH_TTL + "'");
        stage.pass(Duration.ofMillis(3_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", page.connectionId));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"orders\":[\"subscribe\"]}", "{\"log\":[\"*\"]}"})
    void C19_a_changed_capability_does_not_shorten_the_promise_of_a_leader(String capability) throws Refusal {
        Player page = withKey(PAGES, "ann").attach("orders").enter("orders", WITH_TTL);
        stage.grant(7);

        change(HubKey.of(PAGES).with(Capability.parse(capability)), HubKey.of(JOBS));

        assertThat(stage.view("orders").members()).isZero();
        stage.pass(Duration.ofMillis(4_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", page.connectionId));
    }

    @Test
    void a_changed_capability_applies_at_once() throws Refusal {
        Player page = withKey(PAGES, "ann").attach("orders").attach("log").enter("orders", "leader");
        stage.grant(7);
        Player guest = withToken(token("bob", "")).attach("orders").enter("orders", "here");
        Player job = withKey(JOBS, "job").attach("orders");
        page.take();
        guest.take();
        job.take();
        HubKey limited = HubKey.of(PAGES).with(Capability.parse("{\"orders\":[\"subscribe\",\"presence\"]}"));

        change(limited, HubKey.of(JOBS));

        assertThat(page.received())
                .containsExactly(
                        "CONNECTED",
                        "ERROR log 40160/401 the key allows nothing on channel \"log\"",
                        "PRESENCE orders update:ann''");
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", page.connectionId));
        assertThat(job.received()).containsExactly("PRESENCE orders update:ann''");
        for (Player limitedNow : List.of(page, guest)) {
            limitedNow.take();
            limitedNow.publish("orders", "x");
            assertThat(limitedNow.received()).singleElement().asString().contains(" 40160/401 ");
        }

        change(HubKey.of(PAGES), HubKey.of(JOBS));

        // The page has lost its claim, so it first sends presence data without a claim (rule C21).
        page.update("orders", "");
        page.take();
        page.publish("orders", "x");
        assertThat(page.received()).anyMatch(frame -> frame.startsWith("ACK "));
    }

    @Test
    void unchanged_keys_cause_no_frame() throws Refusal {
        HubKey limited = HubKey.of(JOBS).with(Capability.parse("{\"orders\":[\"subscribe\"]}"));
        change(HubKey.of(PAGES), limited);
        Player page = withKey(PAGES, "ann").attach("orders");
        Player guest = withToken(token("bob", ",\"x-ably-capability\":\"{\\\"orders\\\":[\\\"subscribe\\\"]}\""));
        Player job = withKey(JOBS, "job").attach("orders");
        page.take();
        job.take();

        change(limited, HubKey.of(PAGES), HubKey.of(NEW));

        assertThat(page.received()).isEmpty();
        assertThat(guest.received()).isEmpty();
        assertThat(job.received()).isEmpty();
    }

    @Test
    void a_connection_does_not_move_to_a_node_that_has_removed_its_key() {
        var nodes = new NodesInMemory(HubSettings.defaults());
        NodesInMemory.Node here = nodes.node();
        NodesInMemory.Node there = nodes.node();
        Player ann = here.stage.connect("ann").enter("orders", "here");
        nodes.settle();
        ann.take();
        ann.resumeAt(there.stage);
        Player bob = here.stage.connect("bob");
        bob.resumeAt(there.stage);

        there.stage.carry(there.hub().keysChanged(there.stage.now(), HubKeys.of(List.of(NEW))));

        for (Player waiting : List.of(ann, bob)) {
            assertThat(waiting.received())
                    .containsExactly("DISCONNECTED 80003/400 the keys of the hub have changed; connect again");
            assertThat(waiting.open).isFalse();
        }
        nodes.settle();
        assertThat(ann.received()).isEmpty();
    }
}
