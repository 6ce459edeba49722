package dev.doyen.hub.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.elector.console.LoggedTerm;
import dev.doyen.event.Leader;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which events the console counts, stores and shows. */
class FiguresTest {

    private static final ClientIdentity ANN = new ClientIdentity("app.id", Optional.empty(), Optional.of("ann"));

    private final Figures figures = new Figures(3, () -> 1_000);
    private final LeadershipLog leaderships = new LeadershipLog(2);

    @Test
    void messages_and_their_deliveries_are_counted() {
        figures.received(messages("orders", 3));
        figures.received(ProtocolMessage.of(Action.HEARTBEAT));
        figures.sent(messages("orders", 2));
        figures.fannedOut(5, messages("orders", 3));

        assertThat(figures.received()).isEqualTo(3);
        assertThat(figures.delivered()).isEqualTo(17);
        assertThat(figures.refused()).isZero();
    }

    @Test
    void the_latest_rejections_are_kept_with_client_channel_and_reason() {
        for (int i = 0; i < 4; i++) {
            figures.rejected(ANN, "", "orders-" + i, ErrorCode.FENCED.because("no " + i));
        }

        assertThat(figures.refused()).isEqualTo(4);
        assertThat(figures.refusals())
                .containsExactly(
                        new Refused(1_000, "ann", "orders-1", 40911, "no 1"),
                        new Refused(1_000, "ann", "orders-2", 40911, "no 2"),
                        new Refused(1_000, "ann", "orders-3", 40911, "no 3"));
    }

    @Test
    void rate_limited_requests_are_all_counted_and_listed_once() {
        var ann = ErrorCode.RATE_LIMITED.because("the key ann asks too fast");
        figures.rejectedRequest("", ann);
        figures.rejectedRequest("", ErrorCode.RATE_LIMITED.because("the key ben asks too fast"));
        figures.rejectedRequest("", ann);
        figures.rejectedRequest("", ErrorCode.NOT_FOUND.because("nothing is there"));

        assertThat(figures.refused()).isEqualTo(3);
        assertThat(figures.refusals())
                .containsExactly(
                        new Refused(1_000, null, null, 42911, "the key ann asks too fast"),
                        new Refused(1_000, null, null, 42911, "the key ben asks too fast"));
    }

    @Test
    void a_leadership_ends_with_the_next_one_and_old_ones_are_removed() {
        leaderships.changed(view(10, "ann", 1));
        leaderships.changed(view(11, "ann", 1));
        leaderships.changed(view(20, "ben", 2));
        leaderships.changed(view(30, null, 2));
        leaderships.changed(view(40, "ann", 3));
        leaderships.changed(view(50, "ben", 4));

        assertThat(leaderships.latest(10))
                .containsExactly(
                        new LoggedTerm("orders", "ben", 2, 20_000, OptionalLong.of(30_000)),
                        new LoggedTerm("orders", "ann", 3, 40_000, OptionalLong.of(50_000)),
                        new LoggedTerm("orders", "ben", 4, 50_000, OptionalLong.empty()));
        assertThat(leaderships.latest(1)).extracting(LoggedTerm::term).containsExactly(4L);
    }

    private static ElectionView view(long second, String leader, long term) {
        var at = Instant.ofEpochSecond(second);
        return new ElectionView("orders", Optional.ofNullable(leader).map(id -> new Leader(id, term)), term, at, at);
    }

    private static ProtocolMessage messages(String channel, int n) {
        return ProtocolMessage.builder(Action.MESSAGE)
                .channel(channel)
                .messages(IntStream.range(0, n)
                        .mapToObj(i -> Message.of(null, Data.text("x")))
                        .toList())
                .build();
    }
}
