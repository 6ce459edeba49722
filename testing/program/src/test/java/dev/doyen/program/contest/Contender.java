package dev.doyen.program.contest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client of one channel. The test determines the actions of the client.
 *
 * <p>The contender resumes its connection like an SDK. It records its own publishes, their answers, and each reported
 * term in the ledger. The contender stores its last term, so that it can publish with a term that has ended.
 */
class Contender {

    private static final int ACK = 1;
    private static final int NACK = 2;
    private static final int CONNECTED = 4;
    private static final int CLOSE = 7;
    private static final int ATTACH = 10;
    private static final int ATTACHED = 11;
    private static final int DETACH = 12;
    private static final int PRESENCE = 14;
    private static final int MESSAGE = 15;
    private static final int SYNC = 16;
    private static final int LEAVE = 3;
    private static final int ABSENT = 0;
    /** The flag RESUMED of an ATTACHED message. */
    private static final int RESUMED = 1 << 2;

    final String clientId;
    final Ledger ledger;
    final Tally tally;
    private final EventLoop loop;
    private final String channel;
    private final Map<Long, ObjectNode> unanswered = new LinkedHashMap<>();

    private @Nullable Line line;
    private boolean attached;
    private boolean frozen;
    private boolean resuming;
    private String connectionId = "";
    private String key = "";
    private String channelSerial = "";
    private @Nullable InetSocketAddress connectedTo;
    private boolean moving;
    private long serial;
    private long published;
    private String refusal = "";

    /** The last term in which the contender led. */
    long term;

    boolean leads;

    Contender(String clientId, EventLoop loop, String channel, Ledger ledger, Tally tally) {
        this.clientId = clientId;
        this.loop = loop;
        this.channel = channel;
        this.ledger = ledger;
        this.tally = tally;
    }

    boolean hasLine() {
        return line != null;
    }

    boolean isAttached() {
        return attached;
    }

    boolean isFrozen() {
        return frozen;
    }

    boolean awaitsAnswer() {
        return !unanswered.isEmpty();
    }

    /** Connects. Resumes the last connection if {@code resume} is true and such a connection exists. */
    void connect(InetSocketAddress hub, boolean resume) {
        resuming = resume && !key.isEmpty();
        moving = !hub.equals(connectedTo);
        connectedTo = hub;
        String query = "?key=" + HubProcess.KEY + "&clientId=" + clientId + "&v=4&format=json&heartbeats=false"
                + "&remainPresentFor=1000" + (resuming ? "&resume=" + key : "");
        line = new Line(loop, hub, query, this::delivered, this::lost);
    }

    void freeze() {
        if (line != null) {
            frozen = true;
            line.freeze();
        }
    }

    void thaw() {
        frozen = false;
        if (line != null) {
            line.thaw();
        }
    }

    void cut() {
        if (line != null) {
            line.cut();
        }
        lost();
    }

    /** Sends CLOSE; the next {@code connect} opens a new connection. */
    void close() {
        send(frame(CLOSE));
        key = "";
        if (line != null) {
            line.ignore();
        }
        lost();
    }

    /**
     * Attaches. If the frame contains a channel serial, the hub also sends the messages that the contender has missed.
     */
    void attach() {
        ObjectNode frame = frame(ATTACH).put("channel", channel);
        send(channelSerial.isEmpty() ? frame : frame.put("channelSerial", channelSerial));
    }

    void detach() {
        leads = false;
        send(frame(DETACH).put("channel", channel));
    }

    void heartbeat() {
        send(frame(0));
    }

    /** Enters the presence set, or updates its data. */
    void enter(String data) {
        presence(2, data);
    }

    void leave() {
        leads = false;
        presence(LEAVE, "");
    }

    /** Publishes with this fence. If {@code fence} is {@link Ledger#UNFENCED}, publishes without a fence. */
    void publish(long fence) {
        String id = clientId + "/" + connectionId + "/" + ++published;
        ObjectNode frame = frame(MESSAGE).put("channel", channel);
        ObjectNode message = frame.putArray("messages").addObject().put("name", id);
        if (fence != Ledger.UNFENCED) {
            message.putObject("extras").putObject("headers").put("doyen-term", fence);
        }
        ledger.sent(id, fence, member(clientId, connectionId));
        numbered(frame);
    }

    private void presence(int action, String data) {
        ObjectNode frame = frame(PRESENCE).put("channel", channel);
        ObjectNode member =
                frame.putArray("presence").addObject().put("action", action).put("data", data);
        if (data.startsWith("{")) {
            member.put("encoding", "json");
        }
        numbered(frame);
    }

    private void numbered(ObjectNode frame) {
        frame.put("msgSerial", serial);
        unanswered.put(serial++, frame);
        send(frame);
    }

    private void delivered(JsonNode frame) {
        try {
            take(frame);
        } catch (AssertionError | RuntimeException e) {
            ledger.spoiled(e);
        }
    }

    private void take(JsonNode frame) {
        int action = frame.path("action").asInt();
        if (action == ATTACHED || action == MESSAGE || action == PRESENCE) {
            channelSerial = frame.path("channelSerial").asText(channelSerial);
        }
        switch (action) {
            case CONNECTED -> connected(frame);
            case ATTACHED -> {
                attached = true;
                attached((frame.path("flags").asInt() & RESUMED) != 0);
            }
            case ACK -> answered(frame, true);
            case NACK -> answered(frame, false);
            case PRESENCE, SYNC -> frame.path("presence").forEach(each -> member(frame, each));
            case MESSAGE -> frame.path("messages").forEach(each -> message(frame, each));
            default -> {}
        }
    }

    private void connected(JsonNode frame) {
        String id = frame.path("connectionId").asText();
        boolean same = id.equals(connectionId);
        if (!same) {
            connectionId = id;
            unanswered.clear();
            channelSerial = "";
            serial = 0;
            leads = false;
        } else if (resuming) {
            tally.resumed++;
            tally.moved += moving ? 1 : 0;
        }
        resuming = false;
        key = frame.path("connectionDetails").path("connectionKey").asText();
        attach();
        // Like an SDK, the contender sends unanswered frames again with their serials.
        List.copyOf(unanswered.values()).forEach(this::send);
    }

    private void answered(JsonNode frame, boolean accepted) {
        long first = frame.path("msgSerial").asLong();
        for (long each = first; each < first + frame.path("count").asLong(1); each++) {
            ObjectNode sent = unanswered.remove(each);
            if (sent != null && sent.path("action").asInt() == MESSAGE) {
                String id = sent.path("messages").path(0).path("name").asText();
                if (accepted) {
                    ledger.acked(id);
                } else {
                    ledger.nacked(id);
                }
                refusal = accepted ? "" : frame.path("error").path("message").asText();
            }
        }
    }

    private void member(JsonNode frame, JsonNode each) {
        int action = each.path("action").asInt();
        String connection =
                each.path("connectionId").asText(frame.path("connectionId").asText());
        JsonNode header = each.path("extras").path("headers").path("doyen-term");
        boolean gone = action == LEAVE || action == ABSENT;
        Long reportedTerm = gone || header.isMissingNode() ? null : Long.valueOf(header.asLong());
        String who = each.path("clientId").asText();
        if (reportedTerm != null) {
            ledger.granted(reportedTerm, member(who, connection));
        }
        if (connection.equals(connectionId) && who.equals(clientId)) {
            leads = reportedTerm != null;
            term = reportedTerm == null ? term : reportedTerm;
        }
        reported(member(who, connection), reportedTerm);
    }

    private void message(JsonNode frame, JsonNode each) {
        JsonNode header = each.path("extras").path("headers").path("doyen-term");
        String connection =
                each.path("connectionId").asText(frame.path("connectionId").asText());
        receivedPublish(
                each.path("name").asText(),
                header.isMissingNode() ? Ledger.UNFENCED : header.asLong(),
                member(each.path("clientId").asText(), connection));
    }

    /**
     * Called when the hub has attached this client to the channel.
     *
     * @param again true if the messages continue without a gap
     */
    void attached(boolean again) {}

    /** Called when the hub reports the presence of a member. The term is null if the member does not lead. */
    void reported(String member, @Nullable Long inTerm) {}

    void receivedPublish(String id, long fence, String author) {}

    private void lost() {
        line = null;
        attached = false;
        frozen = false;
    }

    /** Sends a frame; without a connection the frame is lost. */
    private void send(ObjectNode frame) {
        if (line != null) {
            line.send(frame);
        }
    }

    /** Returns the state of this contender for the message of a failing test. */
    @Override
    public String toString() {
        return clientId + "@" + connectionId + " at " + connectedTo
                + (line == null ? " without a line" : attached ? "" : " not attached")
                + (leads ? " leads in term " + term : "") + ", " + unanswered.size() + " unanswered"
                + (refusal.isEmpty() ? "" : ", refused: " + refusal);
    }

    private static ObjectNode frame(int action) {
        return JsonNodeFactory.instance.objectNode().put("action", action);
    }

    private static String member(String clientId, String connectionId) {
        return clientId + "@" + connectionId;
    }
}
