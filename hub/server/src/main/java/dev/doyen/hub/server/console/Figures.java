package dev.doyen.hub.server.console;

import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.server.websocket.HubTap;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the traffic of the hub and stores the latest rejections. Only the hub's thread may call the methods. */
final class Figures implements HubTap {

    private final int kept;
    private final LongSupplier wallMillis;
    private final ArrayDeque<Refused> refusals = new ArrayDeque<>();

    private long received;
    private long delivered;
    private long refused;

    /**
     * Creates the counters.
     *
     * @param kept the number of rejections to store
     */
    Figures(int kept, LongSupplier wallMillis) {
        this.kept = kept;
        this.wallMillis = wallMillis;
    }

    @Override
    public void received(ProtocolMessage frame) {
        received += frame.messageCount();
    }

    @Override
    public void sent(ProtocolMessage frame) {
        delivered += frame.messageCount();
    }

    @Override
    public void rejected(ClientIdentity client, String address, @Nullable String channel, ErrorInfo error) {
        refused++;
        remember(client.clientId().orElse(null), channel, error);
    }

    /**
     * Counts the rejected request only if its error is {@link ErrorCode#RATE_LIMITED}. Other errors matter only to the
     * caller, and any caller can cause many of them.
     */
    @Override
    public void rejectedRequest(String address, ErrorInfo error) {
        if (error.code() == ErrorCode.RATE_LIMITED.code()) {
            refused++;
            // Each sentence contains the caller whose request was rejected. A repeated sentence is not stored, so the
            // rejections of one caller cannot displace the rejections of all other callers.
            if (refusals.stream().noneMatch(known -> known.sentence().equals(error.message()))) {
                remember(null, null, error);
            }
        }
    }

    private void remember(@Nullable String clientId, @Nullable String channel, ErrorInfo error) {
        refusals.addLast(new Refused(wallMillis.getAsLong(), clientId, channel, error.code(), error.message()));
        if (refusals.size() > kept) {
            refusals.removeFirst();
        }
    }

    @Override
    public void fannedOut(int receivers, ProtocolMessage frame) {
        delivered += (long) receivers * frame.messageCount();
    }

    /** Returns the number of messages that clients have sent over their sockets. Rejected messages also count. */
    long received() {
        return received;
    }

    /** Returns the number of messages sent to clients. A message counts once per receiver. */
    long delivered() {
        return delivered;
    }

    long refused() {
        return refused;
    }

    /** Returns the latest rejections, with the newest rejection last. */
    List<Refused> refusals() {
        return List.copyOf(refusals);
    }
}
