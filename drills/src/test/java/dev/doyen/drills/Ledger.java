package dev.doyen.drills;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The guarded resource: notes every act that reaches it, in the order in which they come and by its own clock, and
 * refuses those of a term lower than it has seen. One line asks ({@code term id}), one line answers.
 */
final class Ledger implements AutoCloseable {

    /** One act, as it arrived. */
    record Act(long nanos, long term, String id, boolean accepted) {}

    private final Fence fence = Fence.inMemory();
    private final List<Act> acts = new ArrayList<>();
    private final List<ServerSocket> doors = new ArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** Opens a door on this address, on any free port, and returns the port. */
    int listen(InetAddress address) throws IOException {
        var door = new ServerSocket(0, 50, address);
        doors.add(door);
        daemon("ledger-door", () -> {
            while (!door.isClosed()) {
                Socket guest = door.accept();
                daemon("ledger-" + connections.incrementAndGet(), () -> serve(guest));
            }
        });
        return door.getLocalPort();
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
        acts.add(new Act(System.nanoTime(), term, id, answer.equals("ok")));
        notifyAll();
        return answer;
    }

    synchronized List<Act> acts() {
        return List.copyOf(acts);
    }

    /** Waits for an act that was accepted after {@code fromNanos} and looks like this; fails after the patience. */
    synchronized Act await(String what, long fromNanos, long patienceMillis, Predicate<Act> wanted)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        int next = 0;
        while (true) {
            for (; next < acts.size(); next++) {
                Act act = acts.get(next);
                if (act.nanos - fromNanos >= 0 && act.accepted && wanted.test(act)) {
                    return act;
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("no " + what + " within " + patienceMillis + " ms; the last acts were "
                        + acts.subList(Math.max(0, acts.size() - 5), acts.size()));
            }
            wait(left);
        }
    }

    /** The last act of this term, by whoever; empty if there was none. */
    synchronized OptionalLong lastOf(long term) {
        return acts.stream()
                .filter(act -> act.term == term)
                .mapToLong(Act::nanos)
                .max();
    }

    /** Acts that arrived after one of a higher term had: what would have been harm without the fence. */
    synchronized List<Act> stale() {
        List<Act> stale = new ArrayList<>();
        long highest = 0;
        for (Act act : acts) {
            if (act.term < highest) {
                stale.add(act);
            }
            highest = Math.max(highest, act.term);
        }
        return stale;
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket door : doors) {
            door.close();
        }
    }

    private static void daemon(String name, IoTask task) {
        var thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // The door was closed, or a guest was killed.
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
