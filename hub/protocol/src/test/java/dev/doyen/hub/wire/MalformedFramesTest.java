package dev.doyen.hub.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.ContentReference;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the codec rejects bytes that are not a frame, and tests the error texts. */
class MalformedFramesTest {

    private static final FrameCodec CODEC = new FrameCodec(524_288);

    static Stream<Arguments> json() {
        return Stream.of(
                bad("", "the frame is empty"),
                bad(" ", "a frame must be one object; this is nothing"),
                bad("null", "a frame must be one object; this is null"),
                bad("7", "a frame must be one object; this is a number"),
                bad("true", "a frame must be one object; this is a boolean"),
                bad("\"x\"", "a frame must be one object; this is text"),
                bad("[]", "a frame must be one object; this is a list"),
                bad("{}", "action is missing"),
                bad("{\"action\":null}", "action is missing"),
                bad("{", "the frame is not JSON: "),
                bad("{\"action\"", "the frame is not JSON: "),
                bad("{\"action\":", "the frame is not JSON: "),
                bad("{\"action\":0", "the frame is not JSON: "),
                bad("{\"action\":0,}", "the frame is not JSON: "),
                bad("{action:0}", "the frame is not JSON: "),
                bad("{'action':0}", "the frame is not JSON: "),
                bad("{\"action\":00}", "the frame is not JSON: "),
                bad("{\"action\":NaN}", "the frame is not JSON: "),
                bad("{\"action\":0}//", "the frame is not JSON: "),
                bad("\uFEFF{\"action\":0}", "the frame is not JSON: "),
                bad("{\"action\":0}{\"action\":0}", "something follows the frame's object; send one message per frame"),
                bad("{\"action\":0}x", "the frame is not JSON: "),
                bad("{\"action\":\"0\"}", "action must be an integer, not text"),
                bad("{\"action\":-1}", "action must be an integer from 0 to 21"),
                bad("{\"action\":22}", "action must be an integer from 0 to 21"),
                bad("{\"action\":1.5}", "action must be an integer from 0 to 21"),
                bad("{\"action\":1e400}", "action must be an integer from 0 to 21"),
                bad("{\"action\":99999999999999999999}", "action must be an integer from 0 to 21"),
                bad("{\"action\":" + "9".repeat(65) + "}", "the frame is not JSON: "),
                bad("{\"action\":[0]}", "action must be an integer, not a list"),
                bad("{\"action\":0,\"id\":7}", "id must be text, not a number"),
                bad("{\"action\":0,\"channel\":{}}", "channel must be text, not an object"),
                bad("{\"action\":0,\"channel\":\"a\nb\"}", "the frame is not JSON: "),
                bad("{\"action\":0,\"channel\":\"\\x\"}", "the frame is not JSON: "),
                bad("{\"action\":0,\"\\ud800\":1}", "the frame is not JSON: "),
                bad(
                        "{\"action\":0,\"msgSerial\":-1}",
                        "msgSerial must be an integer from 0 to 9223372036854775807, not -1"),
                bad(
                        "{\"action\":0,\"msgSerial\":9223372036854775808}",
                        "msgSerial must be an integer from 0 to 9223372036854775807, not a larger one"),
                bad("{\"action\":0,\"count\":2147483648}", "count must be an integer from 0 to 2147483647"),
                bad("{\"action\":0,\"flags\":true}", "flags must be an integer, not a boolean"),
                bad("{\"action\":0,\"messages\":{}}", "messages must be a list, not an object"),
                bad("{\"action\":0,\"messages\":[7]}", "messages[0] must be an object, not a number"),
                bad("{\"action\":0,\"messages\":[{},null]}", "messages[1] must be an object, not null"),
                bad("{\"action\":0,\"messages\":[{},{\"name\":7}]}", "messages[1].name must be text, not a number"),
                bad(
                        "{\"action\":0,\"messages\":[{\"data\":{}}]}",
                        "messages[0].data must be text, bytes or null, not an"),
                bad(
                        "{\"action\":0,\"messages\":[{\"data\":7}]}",
                        "messages[0].data must be text, bytes or null, not a n"),
                bad(
                        "{\"action\":0,\"messages\":[{\"data\":\"*\",\"encoding\":\"base64\"}]}",
                        "messages[0].data is not base64, although its encoding is base64"),
                bad(
                        "{\"action\":0,\"messages\":[" + "{},".repeat(1000) + "{}]}",
                        "messages has more than 1000 entries"),
                bad(
                        "{\"action\":0,\"messages\":[{\"extras\":{\"a\":1e999}}]}",
                        "messages[0].extras contains a number that"),
                bad("{\"action\":0,\"presence\":[{}]}", "presence[0].action is missing"),
                bad(
                        "{\"action\":0,\"presence\":[{\"action\":5}]}",
                        "presence[0].action must be an integer from 0 to 4"),
                bad(
                        "{\"action\":0,\"presence\":[{\"action\":2,\"clientId\":[]}]}",
                        "presence[0].clientId must be text"),
                bad("{\"action\":0,\"params\":[]}", "params must be an object, not a list"),
                bad("{\"action\":0,\"params\":{\"rewind\":[]}}", "params.rewind must be text, not a list"),
                bad("{\"action\":0,\"params\":{" + params(1001) + "}}", "params has more than 1000 entries"),
                bad("{\"action\":0,\"error\":{\"code\":1}}", "error must have code, statusCode and message"),
                bad("{\"action\":0,\"error\":\"no\"}", "error must be an object, not text"),
                bad("{\"action\":0,\"auth\":\"t\"}", "auth must be an object, not text"),
                bad("{\"action\":0,\"auth\":{\"accessToken\":7}}", "auth.accessToken must be text, not a number"),
                bad("{\"action\":0,\"connectionDetails\":7}", "connectionDetails must be an object, not a number"),
                bad("{\"action\":0,\"res\":[{\"serials\":7}]}", "res[0].serials must be a list, not a number"),
                bad("{\"action\":0,\"res\":[{\"serials\":[7]}]}", "res[0].serials must be text, not a number"),
                bad("{\"action\":0,\"x\":" + "[".repeat(70) + "]".repeat(70) + "}", "the frame is not JSON: "),
                bad("[".repeat(500_000), "a frame must be one object"),
                bad("{\"x\":".repeat(80_000), "the frame is not JSON: "),
                bad("{\"action\":0,\"" + "n".repeat(70_000) + "\":1}", "the frame is not JSON: "));
    }

    static Stream<Arguments> msgpack() {
        return Stream.of(
                pack("c0", "a frame must be one object; this is null"),
                pack("90", "a frame must be one object; this is a list"),
                pack("01", "a frame must be one object; this is a number"),
                pack("a178", "a frame must be one object; this is text"),
                pack("c40178", "a frame must be one object; this is bytes"),
                pack("80", "action is missing"),
                pack("c1", "byte 0 of the msgpack frame is 0xc1, which msgpack does not define"),
                pack("81" + ACTION + "c1", "byte 8 of the msgpack frame is 0xc1, which msgpack does not define"),
                pack("81" + ACTION, "the msgpack frame is cut off at byte 8"),
                pack("81a66163", "the msgpack frame is cut off: 6 bytes should follow byte 2, but only 2 do"),
                pack("82" + ACTION + "00", "the msgpack frame is cut off at byte 9"),
                pack(
                        "81" + ACTION + "0001",
                        "the msgpack frame ends at byte 9, but 1 bytes follow; send one message per"),
                pack("81" + ACTION + "0081" + ACTION + "00", "the msgpack frame ends at byte 9, but 9 bytes follow"),
                pack("810000", "the msgpack map has a key at byte 1 that is not text"),
                pack("810100", "the msgpack map has a key at byte 1 that is not text"),
                pack("819f00", "the msgpack map has a key at byte 1 that is not text"),
                pack("81d800", "the msgpack map has a key at byte 1 that is not text"),
                pack("81dc00", "the msgpack map has a key at byte 1 that is not text"),
                pack("81ff00", "the msgpack map has a key at byte 1 that is not text"),
                pack("81c000", "the msgpack map has a key at byte 1 that is not text"),
                pack("818000", "the msgpack map has a key at byte 1 that is not text"),
                pack("819000", "the msgpack map has a key at byte 1 that is not text"),
                pack("81c3c3", "the msgpack map has a key at byte 1 that is not text"),
                pack("81c4016100", "the msgpack map has a key at byte 1 that is not text"),
                pack("81cb3ff000000000000000", "the msgpack map has a key at byte 1 that is not text"),
                pack("82" + ACTION + "00a17881d4050000", "the msgpack map has a key at byte 12 that is not text"),
                pack("df7fffffff", "the msgpack map before byte 5 promises 4294967294 values, but only 0 bytes follow"),
                pack("dfffffffff" + ACTION + "00", "the msgpack map before byte 5 promises 8589934590 values"),
                pack(
                        "82" + ACTION + "00a178ddffffffff01",
                        "the msgpack list before byte 16 promises 4294967295 values"),
                pack("82" + ACTION + "00a178dc000201", "the msgpack list before byte 14 promises 2 values, but only 1"),
                pack(
                        "82" + ACTION + "00a178dbffffffff61",
                        "the msgpack frame is cut off: 4294967295 bytes should follow"),
                pack(
                        "82" + ACTION + "00a178c67ffffff061",
                        "the msgpack frame is cut off: 2147483632 bytes should follow"),
                pack("82" + ACTION + "00a178c97ffffff00561", "the msgpack frame is cut off: 2147483633 bytes should"),
                pack("82" + ACTION + "00a178da", "the msgpack frame is cut off at byte 12"),
                pack("82" + ACTION + "00a178cf00", "the msgpack frame is cut off: 8 bytes should follow byte 12"),
                pack("82" + ACTION + "00a178d8", "the msgpack frame is cut off: 17 bytes should follow byte 12"),
                pack("81" + ACTION + "a130", "action must be an integer, not text"),
                pack("81" + ACTION + "16", "action must be an integer from 0 to 21"),
                pack("81" + ACTION + "ff", "action must be an integer from 0 to 21"),
                pack("81" + ACTION + "cfffffffffffffffff", "action must be an integer from 0 to 21"),
                pack("81" + ACTION + "cb7ff8000000000000", "action must be an integer from 0 to 21"),
                pack("81" + ACTION + "cb7ff0000000000000", "action must be an integer from 0 to 21"),
                pack("81" + ACTION + "d6ff00000001", "action must be an integer, not bytes"),
                pack("82" + ACTION + "00a26964c40178", "id must be text, not bytes"),
                pack("82" + ACTION + "0fa86d6573736167657391a0", "messages[0] must be an object, not text"),
                pack(MESSAGE + "81a464617461d40500", "messages[0].data must be text, bytes or null, not bytes"),
                pack(MESSAGE + "81a46461746180", "messages[0].data must be text, bytes or null, not an object"),
                pack(MESSAGE + "81a665787472617381a161c40100", "messages[0].extras must be JSON; it holds bytes"),
                pack(
                        MESSAGE + "81a665787472617381a161cb7ff8000000000000",
                        "messages[0].extras contains a number that is not"),
                pack("91".repeat(100_000), "the msgpack frame nests deeper than 64 levels"),
                pack("81a161".repeat(100_000), "the msgpack frame nests deeper than 64 levels"));
    }

    private static final String ACTION = "a6616374696f6e";
    private static final String MESSAGE = "82" + ACTION + "0fa86d6573736167657391";
    private static final String TEXT_31 = "78787878787878787878787878787878787878787878787878787878787878";
    private static final String ENTRIES_15 =
            "a17800a17800a17800a17800a17800a17800a17800a17800a17800a17800a17800a17800a17800a17800a17800";

    private static Arguments bad(String text, String sentence) {
        return Arguments.of(shown(text), text.getBytes(StandardCharsets.UTF_8), sentence);
    }

    private static Arguments pack(String hex, String sentence) {
        return Arguments.of(shown(hex), HexFormat.of().parseHex(hex), sentence);
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "..." : text;
    }

    private static String params(int count) {
        var out = new StringBuilder();
        for (int i = 0; i < count; i++) {
            out.append(i == 0 ? "" : ",").append("\"p").append(i).append("\":\"\"");
        }
        return out.toString();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("json")
    void malformed_json_gets_a_sentence(String shown, byte[] frame, String sentence) {
        assertThatThrownBy(() -> CODEC.decode(frame, Format.JSON))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageStartingWith(sentence)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("msgpack")
    void malformed_msgpack_gets_a_sentence(String shown, byte[] frame, String sentence) {
        assertThatThrownBy(() -> CODEC.decode(frame, Format.MSGPACK))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void bytes_that_are_not_utf8_are_not_json() {
        for (byte[] bad :
                new byte[][] {{(byte) 0xff}, {(byte) 0xc3, 0x28}, "{\"action\":0}".getBytes(StandardCharsets.UTF_16)}) {
            assertThatThrownBy(() -> CODEC.decode(bad, Format.JSON)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void every_truncated_frame_is_rejected() throws Exception {
        var frame = ProtocolMessage.builder(Action.MESSAGE)
                .channel("x")
                .msgSerial(70_000L)
                .messages(java.util.List.of(Message.of("n", Data.bytes(new byte[300]))))
                .build();
        for (Format format : Format.values()) {
            byte[] whole = CODEC.encode(frame, format);
            CODEC.decode(whole, format);
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> CODEC.decode(cut, format)).isInstanceOf(MalformedFrameException.class);
            }
        }
    }

    @Test
    void depth_up_to_the_limit_is_read_and_written_in_both_formats() throws Exception {
        String extras = "{\"a\":".repeat(60) + "1" + "}".repeat(60);
        byte[] deep = ("{\"action\":15,\"messages\":[{\"extras\":" + extras + "}]}").getBytes(StandardCharsets.UTF_8);
        ProtocolMessage frame = CODEC.decode(deep, Format.JSON);
        assertThat(CODEC.decode(CODEC.encode(frame, Format.MSGPACK), Format.MSGPACK))
                .isEqualTo(frame);
    }

    @Test
    void params_up_to_the_limit_are_read() throws Exception {
        byte[] frame = ("{\"action\":10,\"params\":{" + params(1000) + "}}").getBytes(StandardCharsets.UTF_8);
        assertThat(CODEC.decode(frame, Format.JSON).params()).hasSize(1000);
    }

    static Stream<Arguments> reasons() {
        var start = new JsonLocation(ContentReference.unknown(), 0, 1, 1);
        return Stream.of(
                Arguments.of(null, null, "it cannot be read"),
                Arguments.of("x".repeat(200), null, "x".repeat(200)),
                Arguments.of("x".repeat(201), null, "x".repeat(200) + "..."),
                Arguments.of("bad", JsonLocation.NA, "bad"),
                Arguments.of("bad", start, "bad (at character 0)"),
                Arguments.of("x".repeat(199) + "\uD83D\uDC51", start, "x".repeat(199) + "\uFFFD... (at character 0)"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void the_reason_of_the_parser_is_shortened_with_its_position(
            @Nullable String reason, @Nullable JsonLocation place, String sentence) {
        assertThatThrownBy(() -> CODEC.read(new byte[] {'7'}, Format.JSON, in -> {
                    throw new JsonParseException((JsonParser) null, reason, place);
                }))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("the frame is not JSON: " + sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a0", "a178", "bf" + TEXT_31, "d90178", "da000178", "db0000000178"})
    void a_key_can_be_text_of_every_format(String key) throws Exception {
        byte[] frame = HexFormat.of().parseHex("82" + ACTION + "00" + key + "00");
        assertThat(CODEC.decode(frame, Format.MSGPACK)).isEqualTo(ProtocolMessage.of(Action.HEARTBEAT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "7f",
                "80",
                "8f" + ENTRIES_15,
                "90",
                "9f000000000000000000000000000000",
                "a0",
                "bf" + TEXT_31,
                "c0",
                "c2",
                "c3",
                "c40100",
                "c5000100",
                "c60000000100",
                "ca3f800000",
                "cb3ff0000000000000",
                "ccff",
                "cdffff",
                "ceffffffff",
                "cfffffffffffffffff",
                "d080",
                "d18000",
                "d280000000",
                "d38000000000000000",
                "d90178",
                "da000178",
                "db0000000178",
                "dc000100",
                "dd0000000100",
                "de0001a17800",
                "df00000001a17800",
                "e0",
                "ff"
            })
    void a_value_of_every_format_is_skipped_in_an_unknown_field(String value) throws Exception {
        byte[] frame = HexFormat.of().parseHex("83" + ACTION + "00a178" + value + "a26964a179");
        assertThat(CODEC.decode(frame, Format.MSGPACK))
                .isEqualTo(ProtocolMessage.builder(Action.HEARTBEAT).id("y").build());
    }

    @Test
    void extension_types_in_unknown_fields_are_skipped() throws Exception {
        var frame = new ByteArrayOutputStream();
        frame.writeBytes(HexFormat.of().parseHex("89" + ACTION + "00"));
        for (String value : new String[] {
            "d40500",
            "d5050000",
            "d60500000000",
            "d7050000000000000000",
            "d80500000000000000000000000000000000",
            "c7010500",
            "c800010500",
            "c9000000010500"
        }) {
            frame.writeBytes(HexFormat.of().parseHex("a178" + value));
        }
        assertThat(CODEC.decode(frame.toByteArray(), Format.MSGPACK)).isEqualTo(ProtocolMessage.of(Action.HEARTBEAT));
    }
}
