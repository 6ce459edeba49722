package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RoundTest {

    private final List<ByteBuf> frames = new ArrayList<>();
    private final EmbeddedChannel anna = new EmbeddedChannel();
    private final EmbeddedChannel bert = new EmbeddedChannel();
    private final Session annas = session(1, anna);
    private final Session berts = session(2, bert);

    private static Session session(long id, EmbeddedChannel channel) {
        return new Session(
                new SessionId(id),
                ConnectRequest.of(Map.of(), ""),
                channel,
                new FrameCodec(1_024),
                SessionLimits.DEFAULT,
                new FakeHub().loop(new FrameCodec(1_024), StrictClaims.withElection("e")));
    }

    private OutboundQueue.Delivery delivery(String text, Session... to) {
        var frame = Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
        frames.add(frame);
        return new OutboundQueue.Delivery(List.of(to), frame, OutboundQueue.Then.GO_ON);
    }

    private static List<String> read(EmbeddedChannel channel) {
        var texts = new ArrayList<String>();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            texts.add(out.toString(StandardCharsets.US_ASCII));
            out.release();
        }
        return texts;
    }

    @AfterEach
    void no_buffer_remains() {
        assertThat(frames).allSatisfy(frame -> assertThat(frame.refCnt()).isZero());
    }

    @Test
    void consecutive_frames_for_the_same_sessions_are_one_buffer() {
        int deliveries = Round.write(
                List.of(delivery("1", annas, berts), delivery("22", annas, berts), delivery("3", annas, berts)));

        assertThat(deliveries).isEqualTo(6);
        assertThat(read(anna)).containsExactly("1223");
        assertThat(read(bert)).containsExactly("1223");
    }

    @Test
    void a_session_with_own_frames_gets_all_in_order() {
        Round.write(List.of(delivery("1", annas, berts), delivery("ack", annas), delivery("2", annas, berts)));

        assertThat(read(anna)).containsExactly("1", "ack", "2");
        assertThat(read(bert)).containsExactly("12");
    }

    @Test
    void frames_for_other_sessions_are_another_buffer() {
        var carl = new EmbeddedChannel();
        var carls = session(3, carl);
        Round.write(List.of(
                delivery("1", annas, berts),
                delivery("2", annas, berts),
                delivery("3", berts, carls),
                delivery("4", annas, berts)));

        assertThat(read(anna)).containsExactly("12", "4");
        assertThat(read(bert)).containsExactly("12", "3", "4");
        assertThat(read(carl)).containsExactly("3");
    }

    @Test
    void long_frames_are_not_copied_together() {
        String half = "x".repeat(40_000);
        Round.write(List.of(delivery(half, annas, berts), delivery(half, annas, berts), delivery("1", annas, berts)));

        assertThat(read(anna)).containsExactly(half, half + "1");
        assertThat(read(bert)).containsExactly(half, half + "1");
    }

    @Test
    void a_session_gets_nothing_after_its_last_frame() {
        var last = Unpooled.copiedBuffer("bye", StandardCharsets.US_ASCII);
        frames.add(last);
        Round.write(List.of(
                delivery("1", annas, berts),
                new OutboundQueue.Delivery(List.of(annas), last, OutboundQueue.Then.CLOSE),
                delivery("2", annas, berts)));

        assertThat(read(anna)).containsSubsequence("1", "bye").doesNotContain("2");
        assertThat(read(bert)).containsExactly("12");
    }
}
