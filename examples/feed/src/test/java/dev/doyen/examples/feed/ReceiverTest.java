package dev.doyen.examples.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.Leader;
import dev.doyen.fence.StaleTermException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests which lines and which holders a receiver accepts. */
@Timeout(180)
class ReceiverTest {

    @TempDir
    Path folder;

    @Test
    void lines_of_a_former_holder_are_rejected() throws IOException {
        Path log = folder.resolve("log");
        try (var delivery = Delivery.open(log)) {
            var receiver = new Receiver(delivery);
            receive(receiver, "2 1 a", "2 2 b", "1 3 stale", "1 4 stale");
            assertThat(Files.readAllLines(log)).containsExactly("2 1 a", "2 2 b");
            receive(receiver, "3 3 c");
            assertThat(Files.readAllLines(log)).containsExactly("2 1 a", "2 2 b", "3 3 c");
        }
    }

    @Test
    void knowing_a_later_term_is_enough_to_reject() throws IOException {
        Path log = folder.resolve("log");
        try (var delivery = Delivery.open(log)) {
            var receiver = new Receiver(delivery);
            receiver.leaderChanged(Optional.of(new Leader("localhost:1", 2)));
            receive(receiver, "1 1 stale");
            assertThat(Files.readAllLines(log)).isEmpty();
        }
    }

    @Test
    void a_missing_or_repeated_line_is_rejected() throws IOException {
        try (var delivery = Delivery.open(folder.resolve("log"))) {
            delivery.add(new TermLine(1, new Line(1, "a")));
            assertThatThrownBy(() -> delivery.add(new TermLine(1, new Line(3, "c"))))
                    .hasMessage("line 3 arrived instead of line 2");
            assertThatThrownBy(() -> delivery.add(new TermLine(1, new Line(1, "a"))))
                    .hasMessage("line 1 arrived instead of line 2");
        }
    }

    @Test
    void a_log_continues_after_its_last_complete_line_with_its_term() throws IOException {
        Path log = folder.resolve("log");
        Files.writeString(log, "1 1 a\n4 2 b\n4 3 half");
        try (var delivery = Delivery.open(log)) {
            assertThat(delivery.next()).isEqualTo(3);
            assertThatThrownBy(() -> delivery.add(new TermLine(3, new Line(3, "c"))))
                    .isInstanceOf(StaleTermException.class);
            delivery.add(new TermLine(4, new Line(3, "c")));
        }
        assertThat(Files.readAllLines(log)).containsExactly("1 1 a", "4 2 b", "4 3 c");
    }

    @Test
    void a_file_of_another_kind_is_not_changed() throws IOException {
        Path other = folder.resolve("other");
        Files.writeString(other, "dear diary\nhalf");
        assertThatThrownBy(() -> Delivery.open(other)).hasMessageContaining("has no number before its text");
        assertThat(Files.readString(other)).isEqualTo("dear diary\nhalf");
    }

    /** Tests an incomplete line, which a holder can send before it is killed. */
    @Test
    void an_incomplete_line_is_not_accepted() throws IOException {
        Path log = folder.resolve("log");
        try (var delivery = Delivery.open(log);
                var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var wire = Wire.request(Wire.address("127.0.0.1:" + server.getLocalPort()), 1)) {
            try (var holder = server.accept()) {
                new Wire(holder).readRequest();
                holder.getOutputStream().write("1 1 whole\n1 2 hal".getBytes(StandardCharsets.UTF_8));
            }
            new Receiver(delivery).receive(wire);
            assertThat(Files.readAllLines(log)).containsExactly("1 1 whole");
        }
    }

    @Test
    void an_endless_line_is_rejected() throws IOException {
        try (var delivery = Delivery.open(folder.resolve("log"))) {
            assertThatThrownBy(() -> receive(new Receiver(delivery), "1 1 " + "x".repeat(Wire.MAX_LINE_CHARS)))
                    .hasMessage("a line is longer than 16384 characters; is this a feed?");
        }
    }

    /** Connects the receiver to a peer that sends these lines and then closes the connection. */
    private static void receive(Receiver receiver, String... lines) throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var wire = Wire.request(Wire.address("127.0.0.1:" + server.getLocalPort()), 1)) {
            try (var holder = new Wire(server.accept())) {
                holder.readRequest();
                holder.write(List.of(lines));
            }
            receiver.receive(wire);
        }
    }
}
