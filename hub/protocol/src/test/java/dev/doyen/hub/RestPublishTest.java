package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests publishing over HTTP (rule C18), including the rules that also apply to frames. */
class RestPublishTest {

    private static final String MESSAGES = "/channels/x/messages";

    private final Stage stage = new Stage(
            HubSettings.builder().channelRules(ChannelRules.fenced("throne")).build());
    private final RestClient client = new RestClient(stage);
    private final Player bob = stage.connect("bob").attach("x");

    RestPublishTest() {
        bob.take();
    }

    @Test
    void a_message_arrives_and_the_answer_has_its_id() {
        Answer answer = client.post(MESSAGES, "{\"name\":\"n\",\"data\":\"hi\"}");

        ProtocolMessage frame = bob.takeOnly();
        assertThat(frame.action()).isEqualTo(Action.MESSAGE);
        assertThat(frame.connectionId()).isNull();
        Message message = frame.messages().get(0);
        assertThat(message.name()).isEqualTo("n");
        assertThat(message.clientId()).isNull();
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.tree().path("channel").asText()).isEqualTo("x");
        String messageId = answer.tree().path("messageId").asText();
        assertThat(frame.id()).isEqualTo(messageId);
        assertThat(message.id()).as("follows from the id of the frame").isNull();
        assertThat(client.get(MESSAGES).each("id")).containsExactly(messageId + ":0");
        assertThat(answer.tree().path("serials")).hasSize(1);
        assertThat(answer.tree().path("serials").get(0).asText()).isEqualTo(message.serial());
        assertThat(client.get(MESSAGES).tree().get(0).has("connectionId")).isFalse();
    }

    @Test
    void a_list_is_published_in_one_frame() {
        Answer answer = client.post(MESSAGES, "[{\"name\":\"1\"},{\"name\":\"2\"}]");
        assertThat(bob.takeOnly().messages()).extracting(Message::name).containsExactly("1", "2");
        assertThat(answer.tree().path("serials")).hasSize(2);
        assertThat(client.get(MESSAGES).each("id"))
                .containsExactly(
                        answer.tree().path("messageId").asText() + ":1",
                        answer.tree().path("messageId").asText() + ":0");
    }

    @Test
    void msgpack_is_read_by_the_content_type_and_answered_as_accepted() {
        // [{"name": "b", "data": bytes 1 2}]
        byte[] body = {
            (byte) 0x91,
            (byte) 0x82,
            (byte) 0xa4,
            'n',
            'a',
            'm',
            'e',
            (byte) 0xa1,
            'b',
            (byte) 0xa4,
            'd',
            'a',
            't',
            'a',
            (byte) 0xc4,
            2,
            1,
            2
        };
        Answer answer = client.with("Content-Type", "application/x-msgpack")
                .with("Accept", "application/x-msgpack,application/json")
                .send("POST", MESSAGES, body);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.header("Content-Type")).containsExactly("application/x-msgpack");
        assertThat(answer.tree().path("channel").asText()).isEqualTo("x");
        assertThat(bob.takeOnly().messages().get(0).data()).isEqualTo(Data.bytes(new byte[] {1, 2}));
    }

    @Test
    void an_id_is_published_once_by_request_and_by_frame() {
        String body = "{\"id\":\"mine:0\",\"data\":\"hi\"}";
        Answer first = client.post(MESSAGES, body);
        Answer second = client.post(MESSAGES, body);
        stage.connect("ann").publish("x", Message.of(null, Data.text("hi")).withId("mine:0"));
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(first.tree().path("messageId").asText()).isEqualTo("mine");
        assertThat(bob.received()).containsExactly("MESSAGE x 'hi'");
    }

    @Test
    void a_request_with_a_client_id_publishes_only_as_that_client() {
        RestClient ann = client.with("X-Ably-ClientId", RestClient.base64("ann"));
        assertThat(ann.post(MESSAGES, "{\"data\":\"1\"}").status()).isEqualTo(201);
        assertThat(ann.post(MESSAGES, "{\"data\":\"2\",\"clientId\":\"ann\"}").status())
                .isEqualTo(201);
        assertThat(ann.post(MESSAGES, "{\"data\":\"3\",\"clientId\":\"eve\"}").error())
                .startsWith("40012/400 the request has the client id \"ann\", not \"eve\"");
        assertThat(client.post(MESSAGES, "{\"data\":\"4\",\"clientId\":\"*\"}").status())
                .isEqualTo(400);
        assertThat(client.post(MESSAGES, "{\"data\":\"5\",\"clientId\":\"zoe\"}")
                        .status())
                .isEqualTo(201);
        assertThat(client.get(MESSAGES).each("clientId")).containsExactly("zoe", "ann", "ann");
    }

    @Test
    void a_request_with_a_connection_key_publishes_for_that_connection() {
        Answer answer = client.post(MESSAGES, "{\"data\":\"hi\",\"connectionKey\":\"" + bob.key + "\"}");
        assertThat(answer.status()).isEqualTo(201);
        ProtocolMessage frame = bob.takeOnly();
        assertThat(frame.connectionId()).isEqualTo(bob.connectionId);
        assertThat(frame.messages().get(0).clientId()).isEqualTo("bob");
        assertThat(frame.id()).doesNotStartWith(bob.connectionId);
        assertThat(client.get(MESSAGES).each("connectionId")).containsExactly(bob.connectionId);
        assertThat(answer.text()).doesNotContain(bob.key);

        Player quiet = stage.open(Map.of("key", Stage.KEY, "clientId", "quiet", "echo", "false"));
        quiet.attach("x").take();
        client.post(MESSAGES, "{\"data\":\"hi\",\"connectionKey\":\"" + quiet.key + "\"}");
        assertThat(quiet.received())
                .as("a connection without echo does not get its own message")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{'data':'1','connectionKey':'no!such'}]|no current connection has this connectionKey",
                "[{'data':'1','connectionKey':'KEY'},{'data':'2'}]|the messages have different connectionKeys",
                "[{'data':'1','connectionKey':'KEY'},{'data':'2','connectionKey':'a'}]|the messages have different"
                        + " connectionKeys",
            })
    void an_unknown_or_ambiguous_connection_key_is_rejected(String body, String sentence) {
        Answer refused = client.post(MESSAGES, body.replace("KEY", bob.key).replace('\'', '"'));
        assertThat(refused.error()).startsWith("40006/400 " + sentence).doesNotContain(bob.key);
        assertThat(bob.received()).isEmpty();
    }

    @Test
    void a_request_for_a_connection_counts_towards_its_rate() {
        String body = "{\"data\":\"hi\",\"connectionKey\":\"" + bob.key + "\"}";
        for (int i = 0; i < 250; i++) {
            assertThat(client.post(MESSAGES, body).status()).isEqualTo(201);
        }
        Answer refused = client.post(MESSAGES, body);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).startsWith("42911/429");
        stage.pass(Duration.ofSeconds(1));
        assertThat(client.post(MESSAGES, body).status()).isEqualTo(201);
    }

    @Test
    void C18_a_request_can_neither_use_a_fence_nor_publish_on_a_fenced_channel() {
        stage.connect("ann").enter("x", "leader");
        stage.grant(7);
        bob.take();
        String fenced = "{\"data\":\"1\",\"extras\":{\"headers\":{\"doyen-term\":7}}}";
        assertThat(client.post(MESSAGES, fenced).error())
                .startsWith("40911/409 a request without a connectionKey has no claim, so it cannot have a fence");
        assertThat(client.with("X-Ably-ClientId", RestClient.base64("ann"))
                        .post(MESSAGES, fenced)
                        .status())
                .as("a client id alone is not a claim")
                .isEqualTo(409);
        assertThat(client.post("/channels/throne/messages", "{\"data\":\"1\"}").error())
                .startsWith("40911/409 channel \"throne\" is fenced: only its leader publishes");
        assertThat(bob.received()).isEmpty();
    }

    @Test
    void C18_the_rules_of_fences_apply_to_a_request_with_the_connection_key_of_the_leader() {
        Player ann = stage.connect("ann").enter("throne", "leader");
        stage.grant(7);
        String as = ",\"connectionKey\":\"KEY\",\"extras\":{\"headers\":{\"doyen-term\":TERM}}}";
        String path = "/channels/throne/messages";
        String mine = as.replace("KEY", ann.key);
        assertThat(client.post(path, "{\"data\":\"1\"" + mine.replace("TERM", "7"))
                        .status())
                .isEqualTo(201);
        assertThat(client.post(path, "{\"data\":\"2\"" + mine.replace("TERM", "6"))
                        .error())
                .startsWith("40911/409 fence 6 < 7");
        assertThat(client.post(
                                path,
                                "{\"data\":\"3\"" + as.replace("KEY", bob.key).replace("TERM", "7"))
                        .error())
                .startsWith("40911/409 fence 7: \"ann\" leads \"throne\" in term 7, not you");
        assertThat(client.post(path, "{\"data\":\"4\",\"connectionKey\":\"" + ann.key + "\"}")
                        .error())
                .startsWith("40911/409 channel \"throne\" is fenced");
        assertThat(client.get(path).each("data")).containsExactly("1");
    }

    @Test
    void C18_a_request_renews_no_promise() {
        Player ann = stage.connect("ann").enter("x", "{\"role\":\"L\",\"ttl\":1000}");
        stage.grant(1);
        stage.pass(Duration.ofMillis(900));
        client.post(MESSAGES, "{\"data\":\"1\",\"connectionKey\":\"" + ann.key + "\"}");
        stage.pass(Duration.ofMillis(100));
        assertThat(stage.view("x").leader()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|40000/400 there are no messages to publish",
                "7|40000/400 the body must be a message or a list of messages; this is a number",
                "[7]|40000/400 messages[0] must be an object, not a number",
                "{'data':{'a':1}}|40000/400 data must be text, bytes or null, not an object",
                "[{'name':7}]|40000/400 messages[0].name must be text, not a number",
                "{'id':'a:0'}x|40000/400 the frame is not JSON",
                "[{'id':'a'},{'id':'a'}]|40031/400 the message id \"a\" comes twice in a publish",
                "|40000/400 the frame is empty",
            })
    void invalid_bodies_are_rejected_with_a_sentence(String body, String sentence) {
        Answer refused = client.post(MESSAGES, body == null ? "" : body.replace('\'', '"'));
        assertThat(refused.error()).startsWith(sentence);
        assertThat(bob.received()).isEmpty();
    }

    @Test
    void a_publish_above_the_size_limit_is_rejected() {
        String fits = "{\"data\":\"" + "x".repeat(65_536) + "\"}";
        assertThat(client.post(MESSAGES, fits).status()).isEqualTo(201);
        Answer refused = client.post(MESSAGES, fits.replace("{", "{\"name\":\"n\","));
        assertThat(refused.error()).startsWith("40009/400 the publish has 65537 bytes");
    }

    @Test
    void the_channel_name_is_decoded_and_its_rules_apply() {
        Player ann = stage.connect("ann").attach("a/b c,ü");
        ann.take();
        assertThat(client.post("/channels/a%2Fb%20c%2C%C3%BC/messages", "{\"data\":\"1\"}")
                        .tree()
                        .path("channel")
                        .asText())
                .isEqualTo("a/b c,ü");
        assertThat(ann.received()).containsExactly("MESSAGE a/b c,ü '1'");
        assertThat(client.post("/channels/%3Ano/messages", "{\"data\":\"1\"}").error())
                .startsWith("40010/400");
        assertThat(client.get("/channels//messages").error()).startsWith("40010/400 the channel name is empty");
        assertThat(client.get("/channels/%zz/messages").error())
                .startsWith("40000/400 the percent signs in \"%zz\" are not each followed by");
        assertThat(client.get("/channels/%ff/messages").error()).startsWith("40000/400 the percent signs");
        assertThat(client.get("/channels/%4").error()).startsWith("40000/400 the percent signs");
    }

    @Test
    void a_request_before_any_connection_creates_serials_of_this_run() {
        var fresh = new Stage();
        Answer answer = new RestClient(fresh).post(MESSAGES, "{\"data\":\"1\"}");
        assertThat(answer.tree().path("serials").get(0).asText()).matches("[0-9]{14}-[0-9]{3}@[A-Za-z0-9_-]{12}-0:000");
    }
}
