package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.event.Leader;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests how claims begin and end and which client gets them (rules C1 to C6 and C9).
 *
 * <p>The class is long because the rules depend on each other.
 */
class ClaimsTest {

    private static final String L = "{\"role\":\"L\"}";
    private static final String F = "{\"role\":\"F\"}";

    private final Stage stage = new Stage();
    private final Player watcher = stage.connect("watcher").attach("x");

    private Claimant claimant(Player player, String clientId) {
        return claimant(player, clientId, 0);
    }

    private Claimant claimant(Player player, String clientId, long attempt) {
        return new Claimant("x", Slot.LEADER, clientId, player.connectionId, attempt);
    }

    private Player leader(String clientId, long term) {
        Player player = stage.connect(clientId).enter("x", L);
        stage.grant(term);
        player.take();
        watcher.take();
        stage.claims.clear();
        return player;
    }

    static Stream<Arguments> claims() {
        Data text = Data.text("leader");
        byte[] bytes = L.getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                Arguments.of(text, null, true),
                Arguments.of(text, "", true),
                Arguments.of(Data.text("\"leader\""), "json", true),
                Arguments.of(Data.text(L), "json", true),
                Arguments.of(Data.text("{\"role\":\"F\",\"role\":\"L\"}"), "json", true),
                Arguments.of(Data.text(" {\"a\":[1],\"role\":\"\\u004c\"} "), "json", true),
                Arguments.of(Data.bytes(bytes), "json/utf-8", true),
                Arguments.of(Data.bytes("leader".getBytes(StandardCharsets.UTF_8)), "utf-8", true),
                Arguments.of(Data.text("Leader"), null, false),
                Arguments.of(Data.text(" leader"), null, false),
                Arguments.of(Data.text(L), null, false),
                Arguments.of(Data.text(F), "json", false),
                Arguments.of(Data.text("{\"role\":\"l\"}"), "json", false),
                Arguments.of(Data.text("{\"role\":[\"L\"]}"), "json", false),
                Arguments.of(Data.text("{\"in\":{\"role\":\"L\"}}"), "json", false),
                Arguments.of(Data.text("[\"L\"]"), "json", false),
                Arguments.of(Data.text("null"), "json", false),
                Arguments.of(Data.text(""), "json", false),
                Arguments.of(text, "json/utf-8/cipher+aes-128-cbc", false),
                Arguments.of(Data.bytes("leader".getBytes(StandardCharsets.UTF_8)), null, false),
                Arguments.of(Data.bytes(bytes), "json/utf-8/cipher+aes-128-cbc", false),
                Arguments.of(Data.NONE, null, false));
    }

    @ParameterizedTest
    @MethodSource("claims")
    void C1_only_some_data_is_a_claim(Data data, String encoding, boolean claims) {
        Player ann = stage.connect("ann");
        ann.presence("x", PresenceMessage.of(PresenceAction.ENTER, null, data).withData(data, encoding));
        assertThat(stage.claims).hasSize(claims ? 1 : 0);
        assertThat(ann.received()).hasSize(claims ? 0 : 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"ENTER", "UPDATE", "PRESENT"})
    void C1_each_action_of_a_present_member_can_claim(PresenceAction action) {
        Player ann = stage.connect("ann").presence("x", action, "leader");
        assertThat(stage.claims).containsExactly(claimant(ann, "ann"));
    }

    @Test
    void C1_a_leave_does_not_claim() {
        stage.connect("ann").presence("x", PresenceAction.LEAVE, "leader");
        assertThat(stage.claims).isEmpty();
    }

    @Test
    void C1_unreadable_json_is_rejected_because_it_may_be_a_claim() {
        String deep = "{\"a\":".repeat(300) + "1" + "}".repeat(300);
        Player ann = stage.connect("ann").enter("x", deep);
        assertThat(ann.takeOnly().error().code()).isEqualTo(40000);
    }

    @Test
    void C2_a_second_claim_is_rejected_with_holder_and_term_and_changes_nothing() {
        leader("ann", 7);
        Player bob = stage.connect("bob").enter("x", F);
        bob.take();
        watcher.take();
        bob.update("x", L);
        assertThat(bob.received()).containsExactly("NACK #1 40910/409 claim on \"x\" is held by \"ann\" in term 7");
        assertThat(watcher.received()).isEmpty();
        assertThat(stage.claims).isEmpty();
        assertThat(stage.connect("late").attach("x").received())
                .as("a rejected UPDATE does not change the member")
                .contains("SYNC x present:ann'" + L + "'@7 present:bob'" + F + "'");
    }

    @Test
    void C2_the_member_of_a_rejected_enter_stays_absent() {
        leader("ann", 7);
        stage.connect("bob").enter("x", "leader");
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void C2_the_same_client_on_another_connection_is_another_member() {
        leader("ann", 7);
        Player other = stage.connect("ann").enter("x", L);
        assertThat(other.takeOnly().error().code()).isEqualTo(40910);
    }

    @Test
    void C2_each_channel_has_its_own_claim() {
        leader("ann", 7);
        Player bob = stage.connect("bob").enter("y", L);
        assertThat(stage.claims).containsExactly(new Claimant("y", "bob", bob.connectionId));
    }

    @Test
    void C2_a_frame_is_rejected_as_a_whole() {
        leader("ann", 7);
        Player bob = stage.connect("bob");
        bob.presence(
                "x", Player.message(PresenceAction.ENTER, null, F), Player.message(PresenceAction.UPDATE, null, L));
        assertThat(bob.takeOnly().action()).isEqualTo(Action.NACK);
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void C2_a_frame_that_claims_for_two_members_is_rejected() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence("x", Player.message(PresenceAction.ENTER, "a", L), Player.message(PresenceAction.ENTER, "b", L));
        assertThat(any.takeOnly().error().code()).isEqualTo(40910);
        assertThat(stage.claims).isEmpty();
    }

    @Test
    void C3_a_claim_is_announced_only_after_the_store_has_granted_it() {
        watcher.take();
        Player ann = stage.connect("ann").attach("x");
        ann.take();
        ann.enter("x", L);
        assertThat(ann.received()).isEmpty();
        assertThat(watcher.received()).isEmpty();
        assertThat(stage.view("x").leader()).isEmpty();
        stage.grant(3);
        assertThat(ann.received()).containsExactly("PRESENCE x enter:ann'" + L + "'@3", "ACK #0");
        assertThat(watcher.received()).containsExactly("PRESENCE x enter:ann'" + L + "'@3");
        assertThat(stage.view("x").leader()).contains(new Leader("ann", 3));
    }

    @Test
    void C3_other_frames_do_not_wait_but_their_acks_keep_their_order() {
        watcher.take();
        Player ann = stage.connect("ann").enter("x", L).publish("x", "hi").enter("y", "1");
        assertThat(watcher.received()).containsExactly("MESSAGE x 'hi'");
        assertThat(ann.received()).containsExactly("PRESENCE y enter:ann'1'");
        Player bob = stage.connect("bob").publish("x", "mine");
        assertThat(bob.received()).as("other connections do not wait").containsExactly("ACK #0");
        stage.grant(1);
        assertThat(ann.received()).containsExactly("PRESENCE x enter:ann'" + L + "'@1", "ACK #0", "ACK #1", "ACK #2");
    }

    @Test
    void C3_a_second_claim_waits_and_is_decided_after_the_first() {
        Player ann = stage.connect("ann").enter("x", L);
        Player bob = stage.connect("bob").enter("x", L);
        assertThat(stage.claims).containsExactly(claimant(ann, "ann"));
        stage.grant(4);
        assertThat(bob.received()).containsExactly("NACK #0 40910/409 claim on \"x\" is held by \"ann\" in term 4");
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C3_when_the_first_is_rejected_the_store_receives_the_second() {
        Player ann = stage.connect("ann").enter("x", L);
        Player bob = stage.connect("bob").enter("x", L);
        stage.refuse(claimant(ann, "ann"), Optional.of(new Leader("elsewhere", 9)));
        assertThat(ann.received())
                .containsExactly("NACK #0 40910/409 claim on \"x\" is held by \"elsewhere\" in term 9");
        assertThat(stage.claims).containsExactly(claimant(ann, "ann"), claimant(bob, "bob"));
        stage.refuse(claimant(bob, "bob"), Optional.empty());
        assertThat(bob.takeOnly().error().code()).isEqualTo(50003);
    }

    @Test
    void C3_when_the_first_withdraws_the_store_receives_the_second() {
        Player ann = stage.connect("ann").enter("x", L);
        Player bob = stage.connect("bob").enter("x", L);
        ann.leave("x");
        assertThat(stage.claims).containsExactly(claimant(ann, "ann"), claimant(bob, "bob", 1));
    }

    static Stream<Named<BiConsumer<Stage, Claimant>>> endsOfAClaim() {
        return Stream.of(
                Named.of("refused", (stage, claimant) -> stage.refuse(claimant, Optional.empty())),
                Named.of(
                        "paused", (stage, claimant) -> stage.carry(stage.hub.claimPaused(stage.now(), claimant, "no"))),
                Named.of("not decided", (stage, claimant) -> stage.pass(Duration.ofSeconds(10))),
                Named.of("granted in no new term", (stage, claimant) -> stage.grant(claimant, 0)));
    }

    @ParameterizedTest
    @MethodSource("endsOfAClaim")
    void C3_a_channel_that_only_a_claim_used_is_removed_after_its_end(BiConsumer<Stage, Claimant> end) {
        Player ann = stage.connect("ann").enter("z", L);
        end.accept(stage, new Claimant("z", "ann", ann.connectionId));
        stage.pass(HubSettings.defaults().connectionStateTtl());
        assertThat(stage.hub.channels()).extracting(ChannelView::name).containsExactly("x");
    }

    @Test
    void C3_at_most_64_claims_wait_and_more_are_rejected_at_once() {
        for (int i = 0; i < 64; i++) {
            stage.connect("c" + i).enter("x", L);
        }
        Player late = stage.connect("late").enter("x", L);
        assertThat(late.received())
                .containsExactly(
                        "NACK #0 40910/409 claim on \"x\" is being decided, and 64 already wait; try again later");
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C3_a_claim_is_rejected_if_the_store_does_not_answer_within_ten_seconds() {
        Player ann = stage.connect("ann").enter("x", L);
        stage.pass(Duration.ofSeconds(5));
        Player bob = stage.connect("bob").enter("x", L);
        stage.pass(Duration.ofMillis(4_999));
        assertThat(ann.received().stream().filter(line -> line.startsWith("NACK")))
                .isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(ann.received())
                .contains(
                        "NACK #0 50003/503 claim on \"x\" was not decided within 10000 ms: the store does not answer; try"
                                + " again later");
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
        assertThat(stage.claims).endsWith(claimant(bob, "bob", 1));
        stage.pass(Duration.ofSeconds(5));
        assertThat(bob.take()).anyMatch(frame -> frame.action() == Action.NACK);
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"), claimant(bob, "bob", 1));
    }

    @Test
    void C3_the_lease_of_a_claim_that_was_granted_too_late_is_released() {
        Player ann = stage.connect("ann").enter("x", L);
        stage.pass(Duration.ofSeconds(10));
        stage.releases.clear();
        stage.grant(claimant(ann, "ann"), 5);
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
        assertThat(stage.view("x").leader()).isEmpty();
    }

    static Stream<Named<BiConsumer<Stage, Claimant>>> outcomes() {
        return Stream.of(
                Named.of("granted", (stage, claimant) -> stage.grant(claimant, 5)),
                Named.of("refused", (stage, claimant) -> stage.refuse(claimant, Optional.empty())),
                Named.of(
                        "paused",
                        (stage, claimant) -> stage.carry(stage.hub.claimPaused(stage.now(), claimant, "no"))));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void C3_the_late_outcome_of_a_withdrawn_claim_does_not_decide_the_next_claim_of_its_member(
            BiConsumer<Stage, Claimant> report) {
        Player ann = stage.connect("ann").enter("x", L).update("x", F).update("x", L);
        ann.take();
        report.accept(stage, stage.claims.get(0));
        assertThat(stage.view("x").leader()).isEmpty();
        assertThat(ann.received()).isEmpty();
        stage.grant(6);
        assertThat(stage.view("x").leader()).contains(new Leader("ann", 6));
        assertThat(ann.received()).containsExactly("PRESENCE x update:ann'" + L + "'@6", "ACK #2");
        assertThat(stage.claims).containsExactly(claimant(ann, "ann"), claimant(ann, "ann", 1));
        assertThat(stage.releases).containsOnly(claimant(ann, "ann"));
        ann.leave("x");
        assertThat(stage.releases).endsWith(claimant(ann, "ann", 1));
    }

    @Test
    void C3_the_late_grant_of_a_claim_does_not_decide_a_claim_that_arrives_with_its_timeout() {
        Player ann = stage.connect("ann").enter("x", L);
        stage.passAsleep(Duration.ofSeconds(10));
        ann.enter("x", L);
        stage.grant(stage.claims.get(0), 5);
        assertThat(stage.view("x").leader()).isEmpty();
        stage.grant(stage.claims.get(1), 6);
        assertThat(stage.view("x").leader()).contains(new Leader("ann", 6));
        assertThat(stage.releases).containsOnly(claimant(ann, "ann"));
    }

    @Test
    void C3_a_claim_without_a_higher_term_is_never_granted() {
        Player ann = leader("ann", 7);
        ann.update("x", F);
        stage.releases.clear();
        Player bob = stage.connect("bob").enter("x", L);
        stage.grant(7);
        assertThat(bob.received())
                .containsExactly(
                        "NACK #0 50003/503 the store granted the claim on \"x\" in term 7, but term 7 was used already");
        assertThat(stage.releases).containsExactly(claimant(bob, "bob"));
    }

    @Test
    void C3_another_presence_event_of_its_member_withdraws_a_waiting_claim() {
        Player ann = stage.connect("ann").enter("x", L).leave("x");
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40910/409 claim on \"x\" was withdrawn: its member sent another presence event",
                        "ACK #1");
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
        ann.enter("x", L).update("x", F);
        assertThat(stage.view("x").members()).isEqualTo(1);
        assertThat(stage.releases).hasSize(2);
    }

    @Test
    void C3_a_repeated_claim_waits_behind_its_first_and_is_then_applied() {
        Player ann = stage.connect("ann").enter("x", L).update("x", "{\"role\":\"L\",\"n\":2}");
        assertThat(stage.claims).hasSize(1);
        stage.grant(2);
        assertThat(ann.received())
                .containsExactly(
                        "PRESENCE x enter:ann'" + L + "'@2",
                        "ACK #0",
                        "PRESENCE x update:ann'{\"role\":\"L\",\"n\":2}'@2",
                        "ACK #1");
    }

    @Test
    void C3_a_claim_that_waits_survives_the_loss_of_its_socket() {
        Player ann = stage.connect("ann").enter("x", L);
        ann.drop();
        ann.resume();
        ann.take();
        ann.send(Player.presenceFrame("x", 0, Player.message(PresenceAction.ENTER, null, L)));
        assertThat(ann.received()).as("the repeated claim is still undecided").isEmpty();
        assertThat(stage.claims).hasSize(1);
        stage.grant(1);
        assertThat(ann.received()).containsExactly("PRESENCE x enter:ann'" + L + "'@1", "ACK #0");
    }

    @Test
    void C3_a_claim_that_waits_ends_with_detach_close_or_grace() {
        Player ann = stage.connect("ann").attach("x").enter("x", L).detach("x");
        Player bob = stage.connect("bob").enter("x", L).close();
        Player carl = stage.connect("carl").enter("x", L);
        carl.drop();
        stage.pass(Duration.ofSeconds(9));
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"), claimant(bob, "bob", 1));
        var impatient = new Stage(
                HubSettings.builder().remainPresentFor(Duration.ofSeconds(1)).build());
        Player dora = impatient.connect("dora").enter("x", L);
        dora.drop();
        impatient.pass(Duration.ofSeconds(1));
        assertThat(impatient.releases).containsExactly(claimant(dora, "dora"));
    }

    @Test
    void C3_a_full_channel_rejects_a_new_member_with_a_granted_claim_and_releases_the_lease() {
        var small = new Stage(HubSettings.builder().maxMembersPerChannel(1).build());
        Player ann = small.connect("ann").enter("x", L);
        small.connect("bob").enter("x", "1");
        small.grant(1);
        assertThat(ann.takeOnly().error().code()).isEqualTo(91003);
        assertThat(small.releases).containsExactly(claimant(ann, "ann"));
    }

    @Test
    void C3_the_number_of_waiting_acks_is_limited() {
        var small = new Stage(HubSettings.builder().heldAcksPerConnection(3).build());
        Player ann = small.connect("ann")
                .enter("x", L)
                .publish("y", "1")
                .publish("y", "2")
                .publish("y", "3");
        assertThat(ann.received()).singleElement().asString().startsWith("DISCONNECTED 42911/429");
        ann.resume();
        small.grant(1);
        assertThat(ann.received())
                .containsExactly("CONNECTED", "PRESENCE x enter:ann'" + L + "'@1", "ACK #0", "ACK #1", "ACK #2");
        ann.send(Player.messageFrame("y", 3, dev.doyen.hub.wire.Message.of(null, Data.text("3"))));
        assertThat(ann.received()).containsExactly("ACK #3");
    }

    @Test
    void C4_the_term_is_in_the_event_and_in_syncs_beside_the_headers_of_the_client() {
        var extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").put("mine", 1).put("doyen-term", 99);
        Player ann = stage.connect("ann");
        ann.presence("x", Player.message(PresenceAction.ENTER, null, L).withExtras(extras));
        stage.grant(6);
        JsonNode sent = ann.take().get(0).presence().get(0).extras();
        assertThat(sent.toString())
                .isEqualTo("{\"headers\":{\"mine\":1,\"doyen-term\":6,\"doyen-slot\":\"leader/1\"}}");
        assertThat(stage.connect("bob").attach("x").received()).contains("SYNC x present:ann'" + L + "'@6");
    }

    @Test
    void C4_a_header_doyen_term_of_a_client_is_removed() {
        var extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").put("doyen-term", 99);
        Player ann = stage.connect("ann");
        ann.presence("x", Player.message(PresenceAction.ENTER, null, F).withExtras(extras));
        ann.presence("x", Player.message(PresenceAction.LEAVE, null, "").withExtras(extras));
        assertThat(ann.take().stream().filter(frame -> frame.action() == Action.PRESENCE))
                .allSatisfy(
                        frame -> assertThat(frame.presence().get(0).extras()).isNull());
    }

    @Test
    void C4_only_the_claiming_member_of_a_frame_gets_the_header() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence("x", Player.message(PresenceAction.ENTER, "a", F), Player.message(PresenceAction.ENTER, "b", L));
        stage.grant(2);
        assertThat(any.received().get(0)).isEqualTo("PRESENCE x enter:a'" + F + "' enter:b'" + L + "'@2");
    }

    @Test
    void C5_the_holder_repeats_its_claim_without_the_store() {
        Player ann = leader("ann", 7);
        ann.update("x", "{\"role\":\"L\",\"n\":1}").enter("x", L);
        assertThat(ann.received())
                .containsExactly(
                        "PRESENCE x update:ann'{\"role\":\"L\",\"n\":1}'@7",
                        "ACK #1",
                        "PRESENCE x update:ann'" + L + "'@7",
                        "ACK #2");
        assertThat(stage.claims).isEmpty();
        assertThat(stage.releases).isEmpty();
    }

    @Test
    void C5_an_sdk_that_enters_a_leader_again_changes_nothing() {
        Player ann = leader("ann", 7);
        ann.presence("x", Player.message(PresenceAction.ENTER, null, L).withId(ann.connectionId + ":0:0"));
        assertThat(ann.received()).containsExactly("ACK #1");
        assertThat(stage.view("x").leader()).contains(new Leader("ann", 7));
    }

    @Test
    void C6_a_leave_is_sent_to_all_before_the_claim_ends() {
        Player ann = leader("ann", 7);
        stage.effects.clear();
        ann.leave("x");
        assertThat(stage.effects.get(0)).isInstanceOf(HubEffect.FanOut.class);
        assertThat(stage.effects.get(1)).isEqualTo(new HubEffect.Release(claimant(ann, "ann")));
        assertThat(watcher.received()).containsExactly("PRESENCE x leave:ann'" + L + "'");
    }

    @Test
    void C6_data_without_a_claim_ends_the_claim_and_has_no_term() {
        Player ann = leader("ann", 7);
        ann.update("x", F);
        assertThat(watcher.received()).containsExactly("PRESENCE x update:ann'" + F + "'");
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
        Player bob = stage.connect("bob").enter("x", L);
        assertThat(stage.claims).containsExactly(claimant(bob, "bob"));
    }

    @Test
    void C6_a_frame_with_a_claim_and_then_other_data_ends_the_claim() {
        Player ann = stage.connect("ann");
        ann.presence(
                "x", Player.message(PresenceAction.ENTER, null, L), Player.message(PresenceAction.UPDATE, null, F));
        Player bob = stage.connect("bob").enter("x", L);
        stage.grant(1);
        assertThat(ann.received()).containsExactly("PRESENCE x enter:ann'" + L + "'@1 update:ann'" + F + "'", "ACK #0");
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
        assertThat(stage.claims).endsWith(claimant(bob, "bob"));
    }

    @Test
    void C6_detach_and_close_end_the_claim() {
        Player ann = leader("ann", 7);
        ann.attach("x").detach("x");
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
        Player bob = leader("bob", 8);
        bob.close();
        assertThat(stage.releases).endsWith(claimant(bob, "bob"));
    }

    @Test
    void C6_the_claim_of_a_lost_connection_ends_with_its_grace_and_not_before() {
        Player ann = leader("ann", 7);
        ann.drop();
        stage.pass(Duration.ofMillis(14_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
        assertThat(watcher.received()).contains("PRESENCE x leave:ann'" + L + "'");
    }

    @Test
    void C6_a_failing_connection_ends_its_claim() {
        Player ann = leader("ann", 7);
        stage.carry(stage.hub.garbled(stage.now(), ann.session, "nonsense"));
        assertThat(stage.releases).containsExactly(claimant(ann, "ann"));
    }

    @Test
    void C9_a_resumed_connection_keeps_its_claim_and_its_term() {
        Player ann = leader("ann", 7);
        ann.drop();
        stage.pass(Duration.ofSeconds(14));
        ann.resume();
        ann.take();
        ann.attach("x");
        assertThat(ann.received()).containsExactly("ATTACHED x presence", "SYNC x present:ann'" + L + "'@7");
        assertThat(stage.releases).isEmpty();
        ann.publish("x", Player.fenced("still me", 7));
        assertThat(ann.received()).contains("ACK #1");
    }

    @Test
    void C9_a_new_connection_of_the_same_client_must_claim_again() {
        Player ann = leader("ann", 7);
        ann.drop();
        Player again = stage.connect("ann").enter("x", L);
        assertThat(again.takeOnly().error().code())
                .as("the old connection still holds the claim")
                .isEqualTo(40910);
        stage.pass(Duration.ofSeconds(15));
        again.enter("x", L);
        assertThat(stage.claims).containsExactly(claimant(again, "ann"));
    }

    @Test
    void C12_a_rejection_is_sent_only_to_the_sender() {
        leader("ann", 7);
        Player bob = stage.connect("bob");
        stage.effects.clear();
        bob.enter("x", L).publish("x", Player.fenced("no", 6)).enter("x", "{\"role\":\"L\",\"ttl\":5}");
        assertThat(stage.effects)
                .hasSize(3)
                .allSatisfy(effect -> assertThat(effect).isInstanceOfSatisfying(HubEffect.Send.class, send -> {
                    assertThat(send.session()).isEqualTo(bob.session);
                    assertThat(send.message().action()).isEqualTo(Action.NACK);
                }));
    }

    @Test
    void an_unknown_claimant_changes_nothing() {
        Player ann = leader("ann", 7);
        stage.refuse(new Claimant("nowhere", "x", "y"), Optional.empty());
        stage.lose(claimant(ann, "ann"), 6);
        stage.lose(new Claimant("x", "ann", "other"), 7);
        assertThat(stage.view("x").leader()).contains(new Leader("ann", 7));
        ann.send(ProtocolMessage.of(Action.HEARTBEAT));
        assertThat(ann.received()).containsExactly("HEARTBEAT");
    }
}
