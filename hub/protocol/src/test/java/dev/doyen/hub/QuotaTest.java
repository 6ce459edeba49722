package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Quota;
import dev.doyen.hub.settings.Quotas;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.AuthDetails;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the quotas of keys, clients and addresses, and the limits of presence in bytes. */
class QuotaTest {

    private static final Quota SMALL = new Quota(2, 3, 2, 4, 1_000, 100);

    private long tokens;

    private static Stage ofClient(Quota quota) {
        return new Stage(HubSettings.builder()
                .quotas(all -> all.withClient(quota))
                .maxMessageBytes(400)
                .build());
    }

    private Player connect(Stage stage, String clientId) {
        return connect(stage, clientId, "192.0.2.1");
    }

    private Player connect(Stage stage, String clientId, String address) {
        Player player = open(stage, clientId, address);
        player.take();
        return player;
    }

    private Player open(Stage stage, String clientId, String address) {
        return stage.open(Map.of("access_token", token(stage, clientId, ++tokens)), address);
    }

    /**
     * Returns a token that differs from tokens with another number. If {@code clientId} is empty, the token has no
     * client id.
     */
    private static String token(Stage stage, String clientId, long number) {
        long now = stage.now().wallMillis() / 1_000;
        return Signing.jwtOf(
                "app.key",
                "{\"iat\":" + now + ",\"exp\":" + (now + 3_600 + number)
                        + (clientId.isEmpty() ? "" : ",\"x-ably-clientId\":\"" + clientId + "\"") + "}",
                "secret");
    }

    @Test
    void a_client_gets_a_limited_number_of_connections() {
        Stage stage = ofClient(SMALL);
        Player first = connect(stage, "mallory");
        connect(stage, "mallory");

        Player third = open(stage, "mallory", "192.0.2.1");
        assertThat(third.received())
                .containsExactly("DISCONNECTED 42910/429 the client \"mallory\" of the key \"app.key\" uses 2"
                        + " connections, and 1 more would exceed its quota of 2; release some, or ask the operator of"
                        + " the hub for a higher quota");
        assertThat(open(stage, "ann", "192.0.2.1").takeOnly().action()).isEqualTo(Action.CONNECTED);

        first.close();
        assertThat(open(stage, "mallory", "192.0.2.1").takeOnly().action()).isEqualTo(Action.CONNECTED);
    }

    @Test
    void a_lost_connection_without_members_makes_room_for_the_same_client() {
        Stage stage = ofClient(SMALL);
        Player lost = connect(stage, "mallory");
        Player innocent = connect(stage, "ann");
        innocent.drop();
        Player present = connect(stage, "mallory").enter("orders", "");
        lost.drop();
        present.drop();

        assertThat(open(stage, "mallory", "192.0.2.1").takeOnly().action()).isEqualTo(Action.CONNECTED);

        assertThat(open(stage, "mallory", "192.0.2.1").takeOnly().action()).isEqualTo(Action.DISCONNECTED);
        assertThat(innocent.resume().takeOnly().error()).isNull();
    }

    @Test
    void a_client_creates_a_limited_number_of_channels() {
        Stage stage = ofClient(SMALL);
        Player innocent = connect(stage, "ann").attach("ann");
        Player mallory =
                connect(stage, "mallory").attach("ann").attach("a").attach("b").attach("c");
        mallory.take();

        assertThat(mallory.attach("d").received())
                .containsExactly("ERROR d 42910/429 the client \"mallory\" of the key \"app.key\" uses 3 channels, and"
                        + " 1 more would exceed its quota of 3; release some, or ask the operator of the hub for a"
                        + " higher quota");
        assertThat(innocent.attach("e").take())
                .last()
                .extracting(ProtocolMessage::action)
                .isEqualTo(Action.ATTACHED);
    }

    @Test
    void an_unused_channel_makes_room_for_a_channel_of_its_creator() {
        Stage stage = ofClient(SMALL);
        Player innocent = connect(stage, "ann").publish("ann", "kept");
        Player mallory = connect(stage, "mallory");
        for (int i = 0; i < 10; i++) {
            mallory.publish("flood-" + i, "x");
        }
        assertThat(mallory.received()).doesNotContainAnyElementsOf(List.of("NACK"));
        assertThat(innocent.attach("ann").take()).isNotEmpty();

        var rest = new RestClient(stage);
        assertThat(rest.get("/channels/ann/messages").tree()).hasSize(1);
        assertThat(rest.get("/channels/flood-6/messages").tree()).isEmpty();
        assertThat(rest.get("/channels/flood-7/messages").tree()).hasSize(1);
    }

    @Test
    void a_client_holds_a_limited_number_of_claims() {
        Stage stage = ofClient(SMALL);
        Player mallory = connect(stage, "mallory");
        mallory.enter("a", "leader").enter("b", "leader").take();

        mallory.enter("c", "leader");
        List<Claimant> claims = List.copyOf(stage.claims);
        stage.grant(claims.get(0), 1);
        stage.grant(claims.get(1), 1);
        assertThat(mallory.received())
                .contains("NACK #2 42910/429 the client \"mallory\" of the key \"app.key\" uses 2 claims, and 1 more"
                        + " would exceed its quota of 2; release some, or ask the operator of the hub for a higher"
                        + " quota");
        assertThat(mallory.enter("c", "leader").received()).last().asString().startsWith("NACK #3 42910");

        stage.lose(claims.get(0), 1);
        mallory.enter("c", "leader");
        assertThat(stage.claims).extracting(Claimant::channel).containsExactly("a", "b", "c");
    }

    @Test
    void a_client_asks_the_store_for_a_limited_number_of_claims_per_minute() {
        Stage stage = ofClient(SMALL);
        connect(stage, "ann").attach("a");
        Player mallory = connect(stage, "mallory");
        for (int i = 0; i < 4; i++) {
            mallory.enter("a", "leader").leave("a");
        }
        mallory.take();

        assertThat(mallory.enter("a", "leader").received())
                .containsExactly("NACK #8 42911/429 the client \"mallory\" of the key \"app.key\" claims too often; at"
                        + " most 4 claims a minute are allowed; try again in 15 s");
        assertThat(stage.claims).hasSize(4);

        // A new connection does not get a new budget.
        mallory.close();
        mallory = connect(stage, "mallory");
        assertThat(mallory.enter("a", "leader").received()).last().asString().startsWith("NACK #0 42911");
        connect(stage, "bob").enter("b", "leader");
        assertThat(stage.claims).hasSize(5);

        stage.pass(Duration.ofSeconds(15));
        mallory.enter("a", "leader");
        assertThat(stage.claims).hasSize(6);
    }

    @Test
    void a_client_has_a_limited_size_of_members() {
        Stage stage = ofClient(SMALL);
        Player mallory = connect(stage, "mallory").enter("a", "x".repeat(200)).enter("b", "x".repeat(200));
        mallory.take();

        // A member counts 256 bytes plus the lengths of its client id and its data. With data of length 200, it counts
        // 463 bytes.
        assertThat(mallory.update("a", "x".repeat(300)).received())
                .containsExactly("NACK #2 42910/429 the client \"mallory\" of the key \"app.key\" uses 926 bytes of"
                        + " presence, and 100 more would exceed its quota of 1000; release some, or ask the operator of"
                        + " the hub for a higher quota");
        assertThat(mallory.update("a", "x".repeat(274)).received()).last().isEqualTo("ACK #3");
        assertThat(mallory.update("b", "x".repeat(201)).received())
                .last()
                .asString()
                .startsWith("NACK #4 42910");
        assertThat(mallory.leave("b").update("a", "x".repeat(300)).received())
                .last()
                .isEqualTo("ACK #6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one channel", "all channels"})
    void the_hub_limits_the_size_of_all_members(String where) {
        boolean one = where.equals("one channel");
        Stage stage = new Stage(HubSettings.builder()
                .maxMessageBytes(400)
                .presenceBytesPerChannel(one ? 1_000 : 2_000)
                .presenceBytesInAll(2_000)
                .build());
        for (int i = 0; i < (one ? 2 : 4); i++) {
            stage.connect("client-" + i).enter(one ? "a" : "channel-" + i, "x".repeat(200));
        }
        Player last = stage.connect("client-9");
        assertThat(last.enter("a", "x".repeat(200)).received())
                .containsExactly("NACK #0 91003/400 " + (one ? "channel \"a\" has 928" : "the hub has 1856")
                        + " bytes of presence, and 464 more would exceed its limit of "
                        + (one ? 1_000 : 2_000) + "; send less data");
        assertThat(last.enter("b", "").received())
                .last()
                .isEqualTo(
                        one
                                ? "ACK #1"
                                : "NACK #1 91003/400 the hub has"
                                        + " 1856 bytes of presence, and 264 more would exceed its limit of 2000; send less data");
    }

    @Test
    void a_claim_does_not_exceed_the_size_of_members_while_it_waits() {
        Stage stage = new Stage(HubSettings.builder()
                .maxMessageBytes(400)
                .presenceBytesPerChannel(600)
                .build());
        Player ann = stage.connect("ann");
        ann.enter("a", "leader").take();
        stage.connect("bob").enter("a", "x".repeat(300));

        stage.grant(1);

        assertThat(ann.received()).last().asString().startsWith("NACK #0 91003/400 channel \"a\" has 559 bytes");
        assertThat(stage.releases).hasSize(1);
    }

    @Test
    void a_client_sends_a_limited_number_of_messages_over_all_its_connections() {
        Stage stage = ofClient(new Quota(10, 10, 10, 10, 10_000, 1));
        Player one = connect(stage, "mallory");
        Player two = connect(stage, "mallory");
        for (int i = 0; i < 5; i++) {
            one.publish("a", "x");
        }
        assertThat(two.publish("a", "x").received())
                .containsExactly("NACK #0 42911/429 the client \"mallory\" of the key \"app.key\" sends too many"
                        + " messages; at most 1 messages a second are allowed; try again in 1 s");
        assertThat(connect(stage, "ann").publish("a", "x").received()).last().isEqualTo("ACK #0");
    }

    @Test
    void all_clients_of_an_address_share_its_quota() {
        Stage stage = new Stage(
                HubSettings.builder().quotas(all -> all.withAddress(SMALL)).build());
        connect(stage, "a", "2001:db8:0:1::a");
        connect(stage, "b", "2001:db8:0:1:ffff::b");

        assertThat(open(stage, "c", "2001:db8::1:0:0:0:c").received())
                .containsExactly("DISCONNECTED 42910/429 the network 2001:db8:0:1::/64 uses 2 connections, and 1 more"
                        + " would exceed its quota of 2; release some, or ask the operator of the hub for a higher"
                        + " quota");
        assertThat(open(stage, "d", "2001:db8:0:2::a").takeOnly().action()).isEqualTo(Action.CONNECTED);
        assertThat(open(stage, "e", "192.0.2.1").takeOnly().action()).isEqualTo(Action.CONNECTED);
        assertThat(open(stage, "f", "::ffff:192.0.2.1").takeOnly().action()).isEqualTo(Action.CONNECTED);
        assertThat(open(stage, "g", "192.0.2.1").takeOnly().action()).isEqualTo(Action.DISCONNECTED);
    }

    @Test
    void a_connection_with_a_key_counts_only_for_the_key() {
        Stage stage = new Stage(HubSettings.builder()
                .quotas(all -> new Quotas(SMALL.withConnections(3), SMALL, SMALL))
                .build());
        for (int i = 0; i < 3; i++) {
            assertThat(stage.connect("ann").open).isTrue();
        }
        assertThat(stage.connect("ann").open).isFalse();
        assertThat(open(stage, "ann", "").takeOnly().error().message()).startsWith("the key \"app.key\" uses 3");
        assertThat(stage.open(Map.of("key", "app.other:secret2")).open).isTrue();
    }

    @Test
    void a_new_token_moves_the_use_to_the_quota_of_the_new_token() {
        Stage stage = ofClient(SMALL);
        Player player = stage.open(anyClient(stage, 1), "192.0.2.1");
        player.enter("a", "leader").take();
        player.send(auth(token(stage, "*", 2)));
        connect(stage, "mallory");

        for (long token : List.of(1L, 2L)) {
            Player again = stage.open(anyClient(stage, token), "192.0.2.1");
            again.enter("b" + token, "leader").enter("c" + token, "leader");
            assertThat(stage.claims).hasSize(token == 1 ? 3 : 4);
        }
    }

    private static Map<String, String> anyClient(Stage stage, long number) {
        return Map.of("access_token", token(stage, "*", number), "clientId", "mallory");
    }

    private static ProtocolMessage auth(String token) {
        return ProtocolMessage.builder(Action.AUTH).auth(new AuthDetails(token)).build();
    }

    /** Uses and releases all resources of a quota at random. In the end, a client can use its whole quota again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everything_that_ends_is_returned_to_the_quota(long seed) {
        Quota quota = new Quota(6, 4, 3, 1_000, 4_000, 1_000);
        Stage stage = ofClient(quota);
        var random = new Random(seed);
        var players = new ArrayList<Player>();
        for (int i = 0; i < 600; i++) {
            if (players.size() < 4) {
                Player player = open(stage, "mallory", "192.0.2.1");
                if (player.open) {
                    players.add(player);
                }
                continue;
            }
            Player player = players.get(random.nextInt(players.size()));
            String channel = "channel-" + random.nextInt(8);
            switch (random.nextInt(12)) {
                case 0 -> player.attach(channel);
                case 1 -> player.detach(channel);
                case 2 -> player.enter(channel, "x".repeat(random.nextInt(400)));
                case 3 -> player.leave(channel);
                case 4, 5 -> player.enter(channel, "leader");
                case 6, 7 -> {
                    if (!stage.claims.isEmpty()) {
                        stage.grant(stage.claims.get(random.nextInt(stage.claims.size())), i + 1);
                    }
                }
                case 8 -> {
                    if (!stage.claims.isEmpty()) {
                        stage.refuse(stage.claims.get(random.nextInt(stage.claims.size())), java.util.Optional.empty());
                    }
                }
                case 9 -> stage.pass(Duration.ofMillis(random.nextInt(20_000)));
                case 10 -> {
                    player.drop();
                    if (random.nextBoolean()) {
                        player.resume();
                    } else {
                        players.remove(player);
                    }
                }
                default -> {
                    player.close();
                    players.remove(player);
                }
            }
            if (!player.open) {
                players.remove(player);
            }
        }
        List.copyOf(players).forEach(Player::close);
        stage.pass(Duration.ofDays(2));
        stage.claims.clear();

        Player last = connect(stage, "mallory");
        for (int i = 1; i < quota.connections(); i++) {
            assertThat(open(stage, "mallory", "").takeOnly().action()).isEqualTo(Action.CONNECTED);
        }
        for (int i = 0; i < quota.channels(); i++) {
            assertThat(last.attach("new-" + i).takeOnly().action()).isEqualTo(Action.ATTACHED);
        }
        for (int i = 0; i < quota.claims(); i++) {
            last.enter("new-" + i, "leader");
        }
        assertThat(stage.claims).hasSize(quota.claims());
    }
}
