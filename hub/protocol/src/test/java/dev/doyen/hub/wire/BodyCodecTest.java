package dev.doyen.hub.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the bodies of HTTP requests. */
class BodyCodecTest {

    private final BodyCodec codec = new BodyCodec(524_288);

    @Test
    void a_body_contains_exactly_one_value() {
        malformed(() -> codec.readMessages(bytes("[] []"), Format.JSON), "something follows the messages in the body");
        malformed(() -> codec.readBatch(bytes("{} {}"), Format.JSON), "something follows the specs in the body");
        malformed(() -> codec.readBatch(bytes("[] {}"), Format.JSON), "something follows the specs in the body");
        malformed(() -> codec.readPresence(bytes("[] []"), Format.JSON), "something follows the list");
        malformed(() -> codec.readTree(bytes("7 7"), Format.JSON), "something follows the value in the body");
    }

    @Test
    void a_posted_message_is_printed_without_its_connection_key() throws Exception {
        List<PostedMessage> posted =
                codec.readMessages(bytes("[{\"name\":\"a\",\"connectionKey\":\"k3y\"},{\"name\":\"b\"}]"), Format.JSON);
        assertThat(posted.get(0).toString())
                .startsWith("PostedMessage[Message[")
                .doesNotContain("k3y")
                .endsWith("], for a connection]");
        assertThat(posted.get(1).toString())
                .startsWith("PostedMessage[Message[")
                .endsWith("]]")
                .doesNotContain("for a connection");
    }

    @Test
    void null_is_a_value() throws Exception {
        assertThat(codec.readTree(bytes("null"), Format.JSON)).isEqualTo(NullNode.getInstance());
        assertThat(codec.readTree(new byte[] {(byte) 0xc0}, Format.MSGPACK)).isEqualTo(NullNode.getInstance());
    }

    @Test
    void the_channels_of_a_spec_are_limited() throws Exception {
        String channels = "\"x\",".repeat(FrameCodec.MAX_LIST_LENGTH) + "\"y\"";
        List<PostedBatch.Spec> specs = codec.readBatch(bytes("{\"channels\":[" + channels + "]}"), Format.JSON)
                .specs();
        assertThat(specs)
                .singleElement()
                .satisfies(spec -> assertThat(spec.channels())
                        .hasSize(FrameCodec.MAX_LIST_LENGTH)
                        .doesNotContain("y"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void malformed(ThrowingCallable reading, String sentence) {
        assertThatThrownBy(reading).isInstanceOf(MalformedFrameException.class).hasMessage(sentence);
    }
}
