package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.testkit.RefusableThreads;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the wire of a member after a receiver has thrown an Error, or after a thread could not be started. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TcpWireFaultsTest {

    private final Arrivals atA = new Arrivals();
    private final Arrivals atB = new Arrivals();
    private final WireLog log = new WireLog();
    private final List<TcpWire> wires = new ArrayList<>();

    /** The number of thread starts that will fail. */
    private final AtomicInteger refused = new AtomicInteger();

    private final ThreadFactory refusing =
            new RefusableThreads(() -> refused.getAndUpdate(n -> Math.max(0, n - 1)) > 0);

    @AfterEach
    void close() {
        wires.forEach(TcpWire::close);
        log.close();
    }

    @Test
    void the_next_frame_arrives_after_an_Error_of_a_receiver() throws Exception { // L8
        TcpWire a = wire(Thread::new, atA);
        TcpWire b = wire(Thread::new, new Wire.Receiver() {
            @Override
            public void receive(Wire.Peer from, byte[] frame) {
                atB.receive(from, frame);
                throw new OutOfMemoryError("on purpose");
            }

            @Override
            public void lost(String address) {}
        });
        a.peer(b.address()).send(text("first"));
        a.peer(b.address()).send(text("second"));

        assertThat(atB.next().text()).isEqualTo("first");
        assertThat(atB.next().text()).isEqualTo("second");
        assertThat(log.next()).startsWith("the request in a frame of the quorum failed; the program continues.");
        assertThat(atA.waitingLost()).isZero();
    }

    @Test
    void the_connection_is_reopened_after_an_Error_of_a_receiver() throws Exception { // L8
        TcpWire a = wire(Thread::new, new Wire.Receiver() {
            @Override
            public void receive(Wire.Peer from, byte[] frame) {}

            @Override
            public void lost(String address) {
                atA.lost(address);
                throw new OutOfMemoryError("on purpose");
            }
        });
        TcpWire b = wire(refusing, atB);
        refused.set(1);
        a.peer(b.address()).send(text("refused"));
        atA.nextLost();
        a.peer(b.address()).send(text("next"));
        assertThat(atB.next().text()).isEqualTo("next");
    }

    @Test
    void the_next_connection_is_served_after_a_refused_thread() throws Exception { // L8
        TcpWire a = wire(Thread::new, atA);
        TcpWire b = wire(refusing, atB);
        refused.set(1);
        a.peer(b.address()).send(text("refused"));
        assertThat(atA.nextLost()).isEqualTo(b.address());
        assertThat(log.next())
                .startsWith("the start of a thread of the quorum's network failed; the program continues.");

        a.peer(b.address()).send(text("next"));
        assertThat(atB.next().text()).isEqualTo("next");
    }

    @Test
    void a_connection_without_its_second_thread_is_closed_and_the_next_one_is_served() throws Exception { // L8
        var starts = new AtomicInteger();
        // The first thread accepts, the second reads, and the third writes.
        var third = new RefusableThreads(() -> starts.incrementAndGet() == 3);
        TcpWire b = wire(third, atB);
        try (RawPeer peer = RawPeer.connect(b.address(), WireKeys.KEY)) {
            peer.awaitEnd();
        }
        try (RawPeer peer = RawPeer.connect(b.address(), WireKeys.KEY)) {
            peer.writeFramed(peer.seal(text("next")));
            assertThat(atB.next().text()).isEqualTo("next");
        }
    }

    @Test
    void the_next_frame_arrives_after_a_refused_thread() throws Exception { // L8
        TcpWire a = wire(refusing, atA);
        TcpWire b = wire(Thread::new, atB);
        refused.set(1);
        a.peer(b.address()).send(text("dropped, because no thread could be started to send it"));
        assertThat(atA.waitingLost()).isZero();
        a.peer(b.address()).send(text("next"));
        assertThat(atB.next().text()).isEqualTo("next");
    }

    @Test
    void a_connection_that_can_only_be_written_is_closed_and_reopened() throws Exception { // L8
        var starts = new AtomicInteger();
        // The first thread accepts, the second writes, and the third reads.
        TcpWire a = wire(new RefusableThreads(() -> starts.incrementAndGet() == 3), atA);
        TcpWire b = wire(Thread::new, atB);
        a.peer(b.address()).send(text("dropped"));
        assertThat(atA.nextLost()).isEqualTo(b.address());
        a.peer(b.address()).send(text("next"));
        assertThat(atB.next().text()).isEqualTo("next");
    }

    @Test
    void without_a_thread_that_accepts_a_member_does_not_start() {
        var wire = TcpWire.listening(
                "127.0.0.1:0",
                Optional.empty(),
                Optional.of(WireKeys.KEY),
                new TestLimits().system(new RefusableThreads(() -> true)));
        wires.add(wire);
        assertThatThrownBy(() -> wire.start(atA)).isInstanceOf(OutOfMemoryError.class);
    }

    private TcpWire wire(ThreadFactory threads, Wire.Receiver receiver) {
        var wire = TcpWire.listening(
                "127.0.0.1:0", Optional.empty(), Optional.of(WireKeys.KEY), new TestLimits().system(threads));
        wires.add(wire);
        wire.start(receiver);
        return wire;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
