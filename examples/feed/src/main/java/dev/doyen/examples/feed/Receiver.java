package dev.doyen.examples.feed;

import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.Leader;
import dev.doyen.fence.StaleTermException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The work of every process, including the leader: receives the feed from the leader.
 *
 * <p>A candidate's id is the address at which it serves lines. Therefore the id of the leader is also the address to
 * connect to.
 *
 * <p>Threads: {@link #run} runs on one thread, and calls {@link #receive}. The election calls {@link #leaderChanged}.
 */
final class Receiver implements ElectionListener<LeaseLeadership> {

    private static final int PAUSE_MILLIS = 50;

    private final Delivery delivery;
    private Optional<Leader> leader = Optional.empty();
    private @Nullable Wire current;

    Receiver(Delivery delivery) {
        this.delivery = delivery;
    }

    /**
     * Closes the connection to a holder that no longer leads. Otherwise, a suspended holder would keep the connection
     * open forever.
     */
    @Override
    public synchronized void leaderChanged(Optional<Leader> changed) {
        leader = changed;
        try {
            changed.ifPresent(each -> delivery.admit(each.term()));
        } catch (StaleTermException e) {
            // The event is outdated, because a later leader is already known.
            leader = Optional.empty();
        }
        if (current != null) {
            current.close();
        }
        notifyAll();
    }

    /** Receives lines from the present leader until the thread is interrupted. */
    void run() throws InterruptedException {
        while (true) {
            Leader from = awaitLeader();
            try (Wire wire = Wire.request(Wire.address(from.id()), delivery.next())) {
                if (connected(wire, from)) {
                    receive(wire);
                }
            } catch (IOException e) {
                // The connection failed, ended or was closed. The loop reads the present leader again.
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Receives lines until the connection ends, or until a former leader sends a line. */
    void receive(Wire wire) throws IOException {
        try {
            for (String line = wire.read(); line != null; line = wire.read()) {
                delivery.add(TermLine.parse(line));
            }
        } catch (StaleTermException e) {
            System.err.println("a line is rejected: " + e.getMessage());
        }
    }

    private synchronized Leader awaitLeader() throws InterruptedException {
        while (leader.isEmpty()) {
            wait();
        }
        return leader.get();
    }

    /** Stores the connection. Returns false if {@code to} is no longer the known leader. */
    private synchronized boolean connected(Wire wire, Leader to) {
        current = wire;
        return leader.equals(Optional.of(to));
    }
}
