package dev.doyen.hub.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests frames in JSON and msgpack, byte for byte where clients could notice a difference. */
class FrameCodecTest {

    private final FrameCodec codec = new FrameCodec(524_288);

    private String json(ProtocolMessage message) {
        return new String(codec.encode(message, Format.JSON), StandardCharsets.UTF_8);
    }

    private String msgpack(ProtocolMessage message) {
        return HexFormat.of().formatHex(codec.encode(message, Format.MSGPACK));
    }

    private ProtocolMessage fromJson(String text) throws MalformedFrameException {
        return codec.decode(text.getBytes(StandardCharsets.UTF_8), Format.JSON);
    }

    private static ProtocolMessage everything() {
        var extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers")
                .put("a", 1)
                .put("b", 5_000_000_000L)
                .put("c", 1.5)
                .put("d", true)
                .putNull("e");
        extras.putArray("list").add("x").add(-1);
        var message = new Message(
                "id:0", "näme", Data.bytes(new byte[] {0, -1, 127}), "cipher", "ann", "conn", 1L, extras, 0, "s");
        var presence = new PresenceMessage(
                PresenceAction.UPDATE, "c:1:0", "ann", "c", Data.text("{\"x\":\"\uD83D\uDC51\"}"), "json", -5L, extras);
        return ProtocolMessage.builder(Action.MESSAGE)
                .id("c:1")
                .channel("x")
                .channelSerial("serial")
                .connectionId("c")
                .connectionKey("k")
                .connectionDetails(new ConnectionDetails("*", "k", 65_536, 524_288, 50, "doyen", 120_000, 15_000))
                .msgSerial(Long.MAX_VALUE)
                .count(1)
                .error(new ErrorInfo(40000, 400, "why"))
                .flags(Integer.MAX_VALUE)
                .timestamp(1_700_000_000_000L)
                .params(Map.of("rewind", "1"))
                .messages(List.of(message, Message.of(null, Data.NONE), Message.of("t", Data.text(""))))
                .presence(List.of(presence))
                .res(List.of(new PublishResult(Arrays.asList("a", null))))
                .auth(new AuthDetails("t0ken"))
                .build();
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void every_field_survives_a_round_trip(Format format) throws Exception {
        assertThat(codec.decode(codec.encode(everything(), format), format)).isEqualTo(everything());
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void an_id_that_follows_from_the_frame_and_the_index_is_not_written(Format format) throws Exception {
        Message message = Message.of(null, Data.NONE);
        ProtocolMessage frame = ProtocolMessage.builder(Action.MESSAGE)
                .id("c:7")
                .messages(List.of(
                        message.withId("c:7:0"),
                        message.withId("c:7:0"),
                        message.withId("own"),
                        message.withId("c:7:3")))
                .build();
        assertThat(codec.decode(codec.encode(frame, format), format).messages())
                .extracting(Message::id)
                .containsExactly(null, "c:7:0", "own", null);
    }

    @Test
    void a_frame_is_printed_with_its_fields_but_without_its_secrets() {
        ProtocolMessage frame = everything().toBuilder()
                .connectionKey("k3y")
                .connectionDetails(new ConnectionDetails("*", "k3y", 65_536, 524_288, 50, "doyen", 120_000, 15_000))
                .messages(List.of())
                .presence(List.of())
                .build();
        assertThat(frame)
                .hasToString("MESSAGE id=c:1 channel=x channelSerial=serial connectionId=c"
                        + " connectionDetails=ConnectionDetails[clientId=*, serverId=doyen, connectionStateTtl=120000,"
                        + " maxIdleInterval=15000] msgSerial=9223372036854775807 count=1"
                        + " error=ErrorInfo[code=40000, statusCode=400, message=why] flags=2147483647"
                        + " timestamp=1700000000000 messages=[] presence=[] params={rewind=1}"
                        + " res=[PublishResult[serials=[a, null]]] auth=AuthDetails[]");
        assertThat(ProtocolMessage.of(Action.CLOSE)).hasToString("CLOSE");
    }

    @ParameterizedTest
    @EnumSource(Action.class)
    void every_action_survives_and_nothing_else_is_written(Action action) throws Exception {
        ProtocolMessage bare = ProtocolMessage.of(action);
        assertThat(json(bare)).isEqualTo("{\"action\":" + action.code() + "}");
        assertThat(codec.decode(codec.encode(bare, Format.MSGPACK), Format.MSGPACK))
                .isEqualTo(bare);
    }

    @Test
    void action_codes_are_those_of_the_protocol() {
        assertThat(Action.values()).hasSize(22);
        assertThat(Action.CONNECTED.code()).isEqualTo(4);
        assertThat(Action.ERROR.code()).isEqualTo(9);
        assertThat(Action.PRESENCE.code()).isEqualTo(14);
        assertThat(Action.MESSAGE.code()).isEqualTo(15);
        assertThat(Action.ANNOTATION.code()).isEqualTo(21);
        for (Action action : Action.values()) {
            assertThat(Action.of(action.code())).isEqualTo(action);
        }
        for (PresenceAction action : PresenceAction.values()) {
            assertThat(PresenceAction.of(action.code())).isEqualTo(action);
        }
    }

    @Test
    void an_ack_of_serial_zero_contains_zero() {
        ProtocolMessage ack = ProtocolMessage.builder(Action.ACK)
                .msgSerial(0L)
                .count(1)
                .res(List.of(new PublishResult(List.of("s:000"))))
                .build();
        assertThat(json(ack))
                .isEqualTo("{\"action\":1,\"msgSerial\":0,\"count\":1,\"res\":[{\"serials\":[\"s:000\"]}]}");
        assertThat(msgpack(ack))
                .isEqualTo(
                        "84a6616374696f6e01a96d736753657269616c00a5636f756e7401a37265739181a773657269616c7391a5733a303030");
    }

    @Test
    void a_connection_error_has_no_channel_and_all_three_fields() {
        ProtocolMessage error = ProtocolMessage.builder(Action.ERROR)
                .error(ErrorCode.BAD_CREDENTIALS.because("no"))
                .build();
        assertThat(json(error))
                .isEqualTo("{\"action\":9,\"error\":{\"code\":40101,\"statusCode\":401,\"message\":\"no\"}}");
        assertThat(msgpack(error))
                .isEqualTo(
                        "82a6616374696f6e09a56572726f7283a4636f6465cd9ca5aa737461747573436f6465cd0191a76d657373616765"
                                + "a26e6f");
    }

    @Test
    void an_empty_last_page_of_a_sync_keeps_its_list() {
        ProtocolMessage sync = ProtocolMessage.builder(Action.SYNC)
                .channel("x")
                .channelSerial("s1:")
                .presence(List.of())
                .build();
        assertThat(json(sync)).isEqualTo("{\"action\":16,\"channel\":\"x\",\"channelSerial\":\"s1:\",\"presence\":[]}");
        assertThat(msgpack(sync))
                .isEqualTo(
                        "84a6616374696f6e10a76368616e6e656ca178ad6368616e6e656c53657269616ca373313aa870726573656e636590");
    }

    @Test
    void bytes_gain_a_base64_step_on_json_only() {
        ProtocolMessage plain = message(Data.bytes(new byte[] {1, 2, 3}), null);
        ProtocolMessage cipher = message(Data.bytes(new byte[] {1, 2, 3}), "utf-8/cipher+aes-128-cbc");
        assertThat(json(plain)).isEqualTo("{\"action\":15,\"messages\":[{\"data\":\"AQID\",\"encoding\":\"base64\"}]}");
        assertThat(json(cipher)).contains("\"encoding\":\"utf-8/cipher+aes-128-cbc/base64\"");
        assertThat(msgpack(plain)).isEqualTo("82a6616374696f6e0fa86d657373616765739181a464617461c403010203");
    }

    @Test
    void a_base64_step_is_removed_in_any_format_and_order_of_fields() throws Exception {
        ProtocolMessage bytes = message(Data.bytes(new byte[] {1, 2, 3}), null);
        assertThat(fromJson("{\"messages\":[{\"encoding\":\"base64\",\"data\":\"AQID\"}],\"action\":15}"))
                .isEqualTo(bytes);
        byte[] packed = codec.encode(message(Data.text("AQID"), "json/base64"), Format.MSGPACK);
        assertThat(codec.decode(packed, Format.MSGPACK)).isEqualTo(message(Data.bytes(new byte[] {1, 2, 3}), "json"));
        assertThat(fromJson("{\"action\":15,\"messages\":[{\"data\":\"AQID\",\"encoding\":\"notbase64\"}]}"))
                .isEqualTo(message(Data.text("AQID"), "notbase64"));
    }

    @Test
    void a_base64_step_after_an_empty_one_leaves_the_empty_one() throws Exception {
        String text = "{\"action\":15,\"messages\":[{\"data\":\"AQID\",\"encoding\":\"/base64\"}]}";
        ProtocolMessage frame = fromJson(text);
        assertThat(frame).isEqualTo(message(Data.bytes(new byte[] {1, 2, 3}), ""));
        assertThat(json(frame)).isEqualTo(text);
    }

    @Test
    void nulls_are_absent_and_unknown_fields_are_skipped() throws Exception {
        assertThat(
                        fromJson(
                                "{\"action\":10,\"channel\":\"x\",\"channelSerial\":null,\"params\":null,\"flags\":null,"
                                        + "\"messages\":null,\"error\":null,\"connectionDetails\":null,\"auth\":null,\"new\":{\"a\":[1,{\"action\":3}]}}"))
                .isEqualTo(ProtocolMessage.builder(Action.ATTACH).channel("x").build());
        assertThat(fromJson("{\"action\":15,\"messages\":[{\"data\":null}]}")).isEqualTo(message(Data.NONE, null));
        assertThat(fromJson("{\"action\":17,\"auth\":{\"new\":{\"accessToken\":\"no\"},\"accessToken\":\"t\"}}"))
                .isEqualTo(ProtocolMessage.builder(Action.AUTH)
                        .auth(new AuthDetails("t"))
                        .build());
    }

    @Test
    void doubles_with_whole_values_are_accepted_as_integers() throws Exception {
        assertThat(fromJson("{\"action\":15.0,\"msgSerial\":1e3,\"timestamp\":1.7e12}"))
                .isEqualTo(ProtocolMessage.builder(Action.MESSAGE)
                        .msgSerial(1_000L)
                        .timestamp(1_700_000_000_000L)
                        .build());
        byte[] packed = HexFormat.of().parseHex("82a6616374696f6e0fa974696d657374616d70cb4278bcfe56800000");
        assertThat(codec.decode(packed, Format.MSGPACK).timestamp()).isEqualTo(1_700_000_000_000L);
    }

    @Test
    void a_double_is_whole_only_up_to_the_last_exact_integer() throws Exception {
        long last = 1L << 53;
        assertThat(fromJson("{\"action\":15,\"msgSerial\":" + last + ".0}").msgSerial())
                .isEqualTo(last);
        assertThatThrownBy(() -> fromJson("{\"action\":15,\"msgSerial\":" + (last + 2) + ".0}"))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("msgSerial must be an integer from 0 to 9223372036854775807, not 9.007199254740994E15");
    }

    @Test
    void a_number_among_the_params_is_read_as_text() throws Exception {
        var expected = ProtocolMessage.builder(Action.ATTACH)
                .params(Map.of("rewind", "1"))
                .build();
        assertThat(fromJson("{\"action\":10,\"params\":{\"rewind\":1}}")).isEqualTo(expected);
        byte[] packed = HexFormat.of().parseHex("82a6616374696f6e0aa6706172616d7381a6726577696e6401");
        assertThat(codec.decode(packed, Format.MSGPACK)).isEqualTo(expected);
    }

    @Test
    void numbers_beyond_31_and_32_bits_survive_msgpack() throws Exception {
        for (long value : new long[] {1L << 31, (1L << 31) - 1, 1L << 32, Long.MAX_VALUE}) {
            ProtocolMessage frame =
                    ProtocolMessage.builder(Action.MESSAGE).msgSerial(value).build();
            assertThat(codec.decode(codec.encode(frame, Format.MSGPACK), Format.MSGPACK))
                    .isEqualTo(frame);
        }
    }

    @Test
    void integers_beyond_64_bits_in_extras_become_doubles_in_both_formats() throws Exception {
        ProtocolMessage frame = fromJson("{\"action\":15,\"messages\":[{\"extras\":{\"n\":36893488147419103232}}]}");
        assertThat(codec.decode(codec.encode(frame, Format.MSGPACK), Format.MSGPACK))
                .isEqualTo(frame);
        byte[] uint64 = HexFormat.of()
                .parseHex("82a6616374696f6e0fa86d657373616765739181a665787472617381a16ecfffffffffffffffff");
        ProtocolMessage packed = codec.decode(uint64, Format.MSGPACK);
        assertThat(json(packed)).contains("{\"n\":1.8446744073709552E19}");
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void a_lone_surrogate_does_not_prevent_the_encoding(Format format) throws Exception {
        ProtocolMessage frame = fromJson("{\"action\":15,\"channel\":\"\\ud800x\",\"messages\":[{\"data\":\"\\udc00\","
                + "\"extras\":{\"\\ud83d\\udc51\":\"a\\ud800\"}}]}");
        assertThat(frame.channel()).isEqualTo("\uFFFDx");
        assertThat(codec.decode(codec.encode(frame, format), format)).isEqualTo(frame);
        ProtocolMessage own =
                ProtocolMessage.builder(Action.ATTACH).channel("\uD800").build();
        assertThat(codec.decode(codec.encode(own, format), format).channel()).isEqualTo("\uFFFD");
    }

    @Test
    void sizes_are_counted_as_utf8() {
        for (String text : List.of(
                "",
                "a",
                "ä",
                "€",
                "\uD83D\uDC51",
                "a\u0000b",
                "\uD83D\uDC51x",
                "\u007F",
                "\u0080",
                "\u07FF",
                "\u0800")) {
            assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
        assertThat(Utf8.length("\uD800")).isEqualTo(3);
    }

    @Test
    void a_frame_at_the_limit_is_accepted_and_a_larger_one_is_not() throws Exception {
        String frame = "{\"action\":0,\"pad\":\"" + "x".repeat(524_288 - 21) + "\"}";
        assertThat(frame).hasSize(524_288);
        assertThat(fromJson(frame).action()).isEqualTo(Action.HEARTBEAT);
        assertThatThrownBy(() -> fromJson(frame + " "))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("the frame has 524289 bytes; at most 524288 are allowed");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void a_codec_with_a_zero_limit_is_rejected(int limit) {
        assertThatThrownBy(() -> new FrameCodec(limit)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bytes_cannot_be_changed_from_outside() {
        byte[] mine = {1, 2};
        var data = (Data.Bytes) Data.bytes(mine);
        mine[0] = 9;
        data.toArray()[1] = 9;
        assertThat(data).hasToString("Bytes[2]");
        assertThat(data).isEqualTo(Data.bytes(new byte[] {1, 2})).hasSameHashCodeAs(Data.bytes(new byte[] {1, 2}));
        assertThat(data)
                .isNotEqualTo(Data.bytes(new byte[] {1, 3}))
                .doesNotHaveSameHashCodeAs(Data.bytes(new byte[] {1, 3}));
    }

    @Test
    void every_error_has_its_own_code() {
        var numbers = new LinkedHashMap<List<Integer>, ErrorCode>();
        for (ErrorCode code : ErrorCode.values()) {
            // Ably uses one code for two errors and distinguishes them by the status.
            assertThat(numbers.put(List.of(code.code(), code.statusCode()), code))
                    .isNull();
            assertThat(code.statusCode()).isBetween(400, 503);
            assertThat(code.meaning()).isNotBlank();
            assertThat(code.retry()).isNotNull();
        }
    }

    private static ProtocolMessage message(Data data, String encoding) {
        return ProtocolMessage.builder(Action.MESSAGE)
                .messages(List.of(Message.of(null, data).withData(data, encoding)))
                .build();
    }
}
