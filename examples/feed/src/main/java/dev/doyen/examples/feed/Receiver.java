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
 * <p>A candidate's id is the address at which it passes lines on. So a process that knows the leader also knows where
 * to connect.
 *
 * <p>Threads: {@link #run} on one; the election calls the rest.
 */
final class Receiver implements ElectionListener<LeaseLeadership> {

    private static final int PAUSE_MILLIS = 50;

    private final Delivery delivery;
    private Optional<Leader> leader = Optional.empty();
    private @Nullable Wire current;

    Receiver(Delivery delivery) {
        this.delivery = delivery;
    }

    /** Closes the connection to a holder that does not lead any more. A frozen holder would keep it open forever. */
    @Override
    public synchronized void leaderChanged(Optional<Leader> changed) {
        leader = changed;
        try {
            changed.ifPresent(each -> delivery.admit(each.term()));
        } catch (StaleTermException e) {
            // The event is outdated, because a later leader is known already.
            leader = Optional.empty();
        }
        if (current != null) {
            current.close();
        }
        notifyAll();
    }

    /** Returns only by an exception. */
    void run() throws InterruptedException {
        while (true) {
            Leader from = awaitLeader();
            try (Wire wire = Wire.ask(Wire.address(from.id()), delivery.next())) {
                if (connected(wire, from)) {
                    hear(wire);
                }
            } catch (IOException e) {
                // The holder has died, or has not begun yet. Find out again who leads.
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Receives lines until there are no more, or until a line of a stale holder arrives. */
    void hear(Wire wire) throws IOException {
        try {
            for (String line = wire.read(); line != null; line = wire.read()) {
                delivery.add(TermLine.parse(line));
            }
        } catch (StaleTermException e) {
            System.err.println("a line is refused: " + e.getMessage());
        }
    }

    private synchronized Leader awaitLeader() throws InterruptedException {
        while (leader.isEmpty()) {
            wait();
        }
        return leader.get();
    }

    /** Returns false if another process leads by now. */
    private synchronized boolean connected(Wire wire, Leader to) {
        current = wire;
        return leader.equals(Optional.of(to));
    }
}
