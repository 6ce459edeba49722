package dev.doyen.chaos;

import dev.doyen.Election;
import dev.doyen.LeaseLeadership;
import dev.doyen.store.StoreUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A process that acts on the {@link Ledger} up to a hundred times a second while it leads. */
public final class Worker {

    private static final int ACT_TIMEOUT_MILLIS = 500;
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(60);
    private static final int PAUSE_MILLIS = 10;

    private Worker() {}

    /**
     * Runs the process.
     *
     * @param args the store's URL, the candidate's id, the ttl in milliseconds, and the ledger's host and port
     */
    public static void main(String[] args) throws Exception {
        String id = args[1];
        var ledger = new InetSocketAddress(args[3], Integer.parseInt(args[4]));
        var candidate =
                open(args[0], Duration.ofMillis(Long.parseLong(args[2]))).join(id);
        System.out.println("joined");
        while (true) {
            candidate.whileLeading(leadership -> work(leadership, id, ledger));
        }
    }

    /**
     * Opens the election. While the store is unavailable, retries for at most {@link #OPENED_WITHIN}, because in
     * production a supervisor would restart the process.
     */
    private static Election open(String store, Duration ttl) {
        long began = System.nanoTime();
        while (true) {
            try {
                return Election.lease(StoreChaos.ELECTION).store(store).ttl(ttl).open();
            } catch (StoreUnavailableException e) {
                if (System.nanoTime() - began > OPENED_WITHIN.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private static void work(LeaseLeadership leadership, String id, InetSocketAddress ledger)
            throws InterruptedException {
        while (leadership.isCertain()) {
            try (var socket = new Socket()) {
                socket.connect(ledger, ACT_TIMEOUT_MILLIS);
                socket.setSoTimeout(ACT_TIMEOUT_MILLIS);
                act(leadership, id, socket);
            } catch (IOException e) {
                System.err.println("the ledger does not answer: " + e);
            }
        }
    }

    private static void act(LeaseLeadership leadership, String id, Socket socket)
            throws IOException, InterruptedException {
        var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        byte[] line = (leadership.term() + " " + id + "\n").getBytes(StandardCharsets.UTF_8);
        while (leadership.isCertain()) {
            socket.getOutputStream().write(line);
            if (in.readLine() == null) {
                return;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
