package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which requests the server rejects before a handler sees them. */
final class MalformedRequestsTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new HttpPipeline(
            (ctx, request) -> HttpReply.sentence(
                            200,
                            "served " + request.uri() + " " + request.headers().get("Host"))
                    .send(ctx, request),
            new ConnectionLimit(10, AddressLimits.DEFAULT),
            Optional.empty()));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
                "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\tc\r\n\r\n",
                "GET / HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n 2\r\n\r\nab",
            })
    void a_malformed_head_is_rejected(String request) {
        assertThat(answerTo(request)).startsWith("HTTP/1.1 400 ");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void a_folded_field_is_found_in_any_part_of_the_input() {
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r"
                .chars()
                .forEach(part -> assertThat(answerTo(Character.toString(part))).isEmpty());
        assertThat(answerTo("\n")).startsWith("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX:  b c\t\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\r\n c",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n c\r\n0\r\n\r\n",
            })
    void a_well_formed_request_is_served(String request) {
        assertThat(answerTo(request)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void the_second_request_of_a_connection_is_checked_like_the_first() {
        assertThat(answerTo("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\n "))
                .startsWith("HTTP/1.1 200 ");
        assertThat(answerTo("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(answerTo("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @CsvSource({
        "http://b:80/path?query, /path?query b:80",
        "HTTPS://b/path, /path b",
        "http://b, / b",
        "http://b?query, /?query b",
        "//b/path, //b/path a",
        "/http://b/path, /http://b/path a",
        "*, * a",
    })
    void a_url_as_the_target_is_replaced_by_its_path_and_its_host(String target, String expected) {
        assertThat(answerTo("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\nserved " + expected + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://", "http:///path", "http://user@b/path", "http://user:password@b/path"})
    void a_url_without_a_host_or_with_a_user_is_rejected(String target) {
        assertThat(answerTo("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(channel.isOpen()).isFalse();
    }

    private String answerTo(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
        var answer = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            answer.append(part.toString(StandardCharsets.ISO_8859_1));
            part.release();
        }
        return answer.toString();
    }
}
