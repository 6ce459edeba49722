package dev.doyen.chaos;

import dev.doyen.fence.Fence;
import dev.doyen.fence.StaleTermException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The resource that the fencing token protects.
 *
 * <p>An act is a request. A process sends an act after it has checked that it leads. The ledger rejects an act whose
 * term is lower than the term of an earlier act.
 *
 * <p>The ledger records each act with the time of arrival by its own clock.
 *
 * <p>In the protocol, a request is one line {@code term id}, with the term and the id of the sender. The answer is also
 * one line.
 */
final class Ledger implements AutoCloseable {

    /** One act, with its time of arrival and the answer of the fence. */
    record Act(long nanos, long term, String id, boolean accepted) implements Arrivals.Arrival {}

    private final Fence fence = Fence.inMemory();
    private final Arrivals<Act> acts = new Arrivals<>();
    private final List<ServerSocket> listeners = new ArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** Listens on a free port of this address, and returns the port. */
    int listen(InetAddress address) throws IOException {
        var listener = new ServerSocket(0, 50, address);
        listeners.add(listener);
        daemon("ledger-listener", () -> {
            while (!listener.isClosed()) {
                Socket guest = listener.accept();
                daemon("ledger-" + connections.incrementAndGet(), () -> serve(guest));
            }
        });
        return listener.getLocalPort();
    }

    private void serve(Socket guest) throws IOException {
        try (guest;
                var in = new BufferedReader(new InputStreamReader(guest.getInputStream(), StandardCharsets.UTF_8));
                OutputStream out = guest.getOutputStream()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] parts = line.split(" ", 2);
                out.write((take(Long.parseLong(parts[0]), parts[1]) + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        }
    }

    private synchronized String take(long term, String id) {
        String answer = "ok";
        try {
            fence.admit("ledger", term);
        } catch (StaleTermException e) {
            answer = String.valueOf(e.getMessage());
        }
        boolean accepted = answer.equals("ok");
        acts.note(nanos -> new Act(nanos, term, id, accepted));
        return answer;
    }

    List<Act> acts() {
        return acts.all();
    }

    /** Waits for an accepted act, as {@link Arrivals#await} does. */
    Act await(String what, long fromNanos, long patienceMillis, Predicate<Act> condition) throws InterruptedException {
        return acts.await(what, fromNanos, patienceMillis, act -> act.accepted && condition.test(act));
    }

    /** Returns the time of the last act of this term; empty if the term had no act. */
    OptionalLong lastOf(long term) {
        return acts().stream()
                .filter(act -> act.term == term)
                .mapToLong(Act::nanos)
                .max();
    }

    /** Returns the acts that arrived after an act of a higher term. Without the fence these acts would do harm. */
    List<Act> stale() {
        List<Act> stale = new ArrayList<>();
        long highest = 0;
        for (Act act : acts()) {
            if (act.term < highest) {
                stale.add(act);
            }
            highest = Math.max(highest, act.term);
        }
        return stale;
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket listener : listeners) {
            listener.close();
        }
    }

    private static void daemon(String name, IoTask task) {
        var thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // The test closed the socket, or the peer was killed.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    interface IoTask {
        void run() throws IOException;
    }
}
