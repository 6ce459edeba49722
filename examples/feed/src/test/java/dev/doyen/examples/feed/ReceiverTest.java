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

/** Which lines a receiver accepts, and from whom. */
@Timeout(180)
class ReceiverTest {

    @TempDir
    Path folder;

    @Test
    void lines_of_a_stale_holder_are_refused() throws IOException {
        Path log = folder.resolve("log");
        try (var delivery = Delivery.open(log)) {
            var receiver = new Receiver(delivery);
            hear(receiver, "2 1 a", "2 2 b", "1 3 stale", "1 4 stale");
            assertThat(Files.readAllLines(log)).containsExactly("2 1 a", "2 2 b");
            hear(receiver, "3 3 c");
            assertThat(Files.readAllLines(log)).containsExactly("2 1 a", "2 2 b", "3 3 c");
        }
    }

    @Test
    void to_hear_of_a_later_holder_is_enough() throws IOException {
        Path log = folder.resolve("log");
        try (var delivery = Delivery.open(log)) {
            var receiver = new Receiver(delivery);
            receiver.leaderChanged(Optional.of(new Leader("localhost:1", 2)));
            hear(receiver, "1 1 stale");
            assertThat(Files.readAllLines(log)).isEmpty();
        }
    }

    @Test
    void a_line_that_is_left_out_or_comes_twice_is_not_taken() throws IOException {
        try (var delivery = Delivery.open(folder.resolve("log"))) {
            delivery.add(new TermLine(1, new Line(1, "a")));
            assertThatThrownBy(() -> delivery.add(new TermLine(1, new Line(3, "c"))))
                    .hasMessage("line 3 came where 2 was to come");
            assertThatThrownBy(() -> delivery.add(new TermLine(1, new Line(1, "a"))))
                    .hasMessage("line 1 came where 2 was to come");
        }
    }

    @Test
    void a_log_goes_on_after_its_last_whole_line_and_remembers_the_term() throws IOException {
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
    void a_file_of_another_kind_stays_as_it_is() throws IOException {
        Path other = folder.resolve("other");
        Files.writeString(other, "dear diary\nhalf");
        assertThatThrownBy(() -> Delivery.open(other)).hasMessageContaining("has no number before its text");
        assertThat(Files.readString(other)).isEqualTo("dear diary\nhalf");
    }

    /** A holder that is killed may have sent an incomplete line. */
    @Test
    void half_a_line_is_not_taken() throws IOException {
        Path log = folder.resolve("log");
        try (var delivery = Delivery.open(log);
                var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var wire = Wire.ask(Wire.address("127.0.0.1:" + server.getLocalPort()), 1)) {
            try (var holder = server.accept()) {
                new Wire(holder).asked();
                holder.getOutputStream().write("1 1 whole\n1 2 hal".getBytes(StandardCharsets.UTF_8));
            }
            new Receiver(delivery).hear(wire);
            assertThat(Files.readAllLines(log)).containsExactly("1 1 whole");
        }
    }

    @Test
    void a_line_without_end_is_refused() throws IOException {
        try (var delivery = Delivery.open(folder.resolve("log"))) {
            assertThatThrownBy(() -> hear(new Receiver(delivery), "1 1 " + "x".repeat(Wire.MAX_LINE_CHARS)))
                    .hasMessage("a line is longer than 16384 characters; is this a feed?");
        }
    }

    /** Connects the receiver to a peer that sends these lines and closes the connection. */
    private static void hear(Receiver receiver, String... lines) throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var wire = Wire.ask(Wire.address("127.0.0.1:" + server.getLocalPort()), 1)) {
            try (var holder = new Wire(server.accept())) {
                holder.asked();
                holder.write(List.of(lines));
            }
            receiver.hear(wire);
        }
    }
}
