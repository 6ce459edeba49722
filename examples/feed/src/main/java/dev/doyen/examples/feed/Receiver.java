package dev.doyen.examples.feed;

import dev.doyen.ElectionListener;
import dev.doyen.event.Leader;
import dev.doyen.fence.StaleTermException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What every process does, the leader too: hears the feed from whoever leads. A candidate's id is the address where it
 * passes lines on, so to know who leads is to know where to connect.
 *
 * <p>Threads: {@link #run} on one; the election calls the rest.
 */
final class Receiver implements ElectionListener {

    private static final int PAUSE_MILLIS = 50;

    private final Delivery delivery;
    private Optional<Leader> leader = Optional.empty();
    private @Nullable Wire current;

    Receiver(Delivery delivery) {
        this.delivery = delivery;
    }

    /** Hangs up on a holder that leads no more: it may be frozen, and would keep the line for ever. */
    @Override
    public synchronized void leaderChanged(Optional<Leader> changed) {
        leader = changed;
        try {
            changed.ifPresent(each -> delivery.admit(each.term()));
        } catch (StaleTermException e) {
            // Old news: a later one was heard already.
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
                // It has died, or has not begun: who leads then is asked again.
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Takes lines until there are no more, or until one is of a holder that holds no more. */
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

    /** False if another leads by now. */
    private synchronized boolean connected(Wire wire, Leader to) {
        current = wire;
        return leader.equals(Optional.of(to));
    }
}
