package dev.doyen.chaos.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client that uses the hub and does not attack it.
 *
 * <p>The client attaches to its room and enters. One client of each room also claims the leadership, and publishes a
 * message every second. Every second the client pings the hub, unless it still waits for a pong, and measures the round
 * trip. The client records each rejection by the hub.
 */
final class Innocent implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HEARTBEAT = 0;
    private static final int NACK = 2;
    private static final int DISCONNECTED = 6;
    private static final int ERROR = 9;
    private static final int ATTACHED = 11;
    private static final int PRESENCE = 14;

    private final String clientId;
    private final String room;
    private final boolean leads;
    private final HubSocket socket;
    private final List<Long> roundTripsNanos = new CopyOnWriteArrayList<>();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private volatile boolean ends;
    private volatile long term;
    private volatile long pingedNanos;
    private final AtomicInteger pings = new AtomicInteger();
    private long nextSerial;

    private Innocent(String clientId, String room, boolean leads, HubSocket socket) {
        this.clientId = clientId;
        this.room = room;
        this.leads = leads;
        this.socket = socket;
    }

    /** Connects a client, which then runs on its own threads until {@link #close}. */
    static Innocent start(VictimHub hub, String clientId, String room, boolean leads) throws Exception {
        String token = hub.token(clientId, "{\"*\":[\"publish\",\"subscribe\",\"presence\",\"lead\"]}");
        var client = new Innocent(clientId, room, leads, new HubSocket(hub.address(), "127.0.0.1", token));
        daemon(client::read, clientId + "-reader");
        client.socket.send("{\"action\":10,\"channel\":\"" + room + "\"}");
        return client;
    }

    /** Enters the room and waits until the hub has sent the client its own presence. */
    void enter() throws Exception {
        String data = leads ? "{\\\"role\\\":\\\"L\\\",\\\"ttl\\\":20000}" : "here";
        String encoding = leads ? ",\"encoding\":\"json\"" : "";
        socket.send("{\"action\":" + PRESENCE + ",\"channel\":\"" + room + "\",\"msgSerial\":" + nextSerial++
                + ",\"presence\":[{\"action\":2,\"data\":\"" + data + "\"" + encoding + "}]}");
        if (!entered.await(120, TimeUnit.SECONDS)) {
            throw new IOException(clientId + " did not enter " + room + "; rejections: " + refusals);
        }
        daemon(this::work, clientId + "-worker");
    }

    private static void daemon(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void work() {
        try {
            while (!ends) {
                // The next ping follows only after the pong, so that a late pong is measured as one long round trip.
                if (pingedNanos == 0) {
                    int ping = pings.incrementAndGet();
                    pingedNanos = System.nanoTime();
                    socket.send("{\"action\":" + HEARTBEAT + ",\"id\":\"" + ping + "\"}");
                }
                if (leads) {
                    publish("count " + nextSerial);
                }
                Thread.sleep(1_000);
            }
        } catch (IOException | InterruptedException e) {
            fault("could not send: " + e);
        }
    }

    private void publish(String text) throws IOException {
        socket.send("{\"action\":15,\"channel\":\"" + room + "\",\"msgSerial\":" + nextSerial++
                + ",\"messages\":[{\"data\":\"" + text + "\",\"extras\":{\"headers\":{\"doyen-term\":" + term
                + "}}}]}");
    }

    private void read() {
        try {
            while (!ends) {
                received(JSON.readTree(socket.read()));
            }
        } catch (IOException e) {
            fault("lost its socket: " + e);
        }
    }

    private void received(JsonNode frame) {
        switch (frame.path("action").asInt()) {
            case HEARTBEAT -> {
                if (frame.path("id").asText().equals(Integer.toString(pings.get())) && pingedNanos != 0) {
                    roundTripsNanos.add(System.nanoTime() - pingedNanos);
                    pingedNanos = 0;
                }
            }
            case NACK, DISCONNECTED, ERROR -> fault("was rejected: " + frame.path("error"));
            case PRESENCE -> frame.path("presence").forEach(this::present);
            case ATTACHED -> {}
            default -> {}
        }
    }

    private void present(JsonNode member) {
        if (!member.path("clientId").asText().equals(clientId)) {
            return;
        }
        @Nullable JsonNode stamp = member.path("extras").path("headers").get("doyen-term");
        if (leads && (stamp == null || (term != 0 && stamp.asLong() != term))) {
            fault("lost term " + term + ": " + member);
        } else if (leads && stamp != null) {
            term = stamp.asLong();
        }
        entered.countDown();
    }

    private void fault(String what) {
        if (!ends) {
            refusals.add(clientId + " of " + room + " " + what);
        }
    }

    boolean leads() {
        return leads;
    }

    String clientId() {
        return clientId;
    }

    String room() {
        return room;
    }

    long term() {
        return term;
    }

    List<Long> roundTripsNanos() {
        return roundTripsNanos;
    }

    /** Returns the rejections and losses that this client recorded, each as a sentence. */
    List<String> refusals() {
        return refusals;
    }

    @Override
    public void close() {
        ends = true;
        try {
            socket.close();
        } catch (IOException e) {
            refusals.add(clientId + " could not close its socket: " + e);
        }
    }
}
