package dev.doyen.hub.server.console;

import dev.doyen.hub.server.websocket.HubTap;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the traffic of the hub and remembers the latest rejections. Threads: the hub's only. */
final class Figures implements HubTap {

    private final int kept;
    private final LongSupplier wallMillis;
    private final ArrayDeque<Refused> refusals = new ArrayDeque<>();

    private long received;
    private long delivered;
    private long refused;
    private @Nullable String channel;

    /**
     * Creates the counters.
     *
     * @param kept how many rejections to remember
     */
    Figures(int kept, LongSupplier wallMillis) {
        this.kept = kept;
        this.wallMillis = wallMillis;
    }

    @Override
    public void received(ProtocolMessage frame) {
        channel = frame.channel();
        received += messages(frame);
    }

    @Override
    public void sent(ProtocolMessage frame) {
        delivered += messages(frame);
    }

    @Override
    public void sentError(@Nullable String clientId, ProtocolMessage frame) {
        ErrorInfo error = frame.error();
        // CONNECTED and ATTACHED may carry errors that reject nothing.
        if (error != null && frame.action() != Action.CONNECTED && frame.action() != Action.ATTACHED) {
            refused++;
            remember(clientId, frame.channel() == null ? channel : frame.channel(), error);
        }
    }

    /** Counts only rate limiting. Other errors matter only to the caller, and anybody can cause many of them. */
    @Override
    public void refusedRequest(ErrorInfo error) {
        if (error.code() == ErrorCode.RATE_LIMITED.code()) {
            refused++;
            // The sentence names the caller. One caller must not push all others out of the list.
            if (refusals.stream().noneMatch(known -> known.sentence().equals(error.message()))) {
                remember(null, null, error);
            }
        }
    }

    private void remember(@Nullable String clientId, @Nullable String where, ErrorInfo error) {
        refusals.addLast(new Refused(wallMillis.getAsLong(), clientId, where, error.code(), error.message()));
        if (refusals.size() > kept) {
            refusals.removeFirst();
        }
    }

    @Override
    public void fannedOut(int receivers, ProtocolMessage frame) {
        delivered += (long) receivers * messages(frame);
    }

    @Override
    public void carriedOut() {
        channel = null;
    }

    /** The number of messages that clients have published. */
    long received() {
        return received;
    }

    /** The number of messages sent to clients, counted once per receiver. */
    long delivered() {
        return delivered;
    }

    long refused() {
        return refused;
    }

    /** The latest rejections, newest last. */
    List<Refused> refusals() {
        return List.copyOf(refusals);
    }

    private static int messages(ProtocolMessage frame) {
        return frame.messages() == null ? 0 : frame.messages().size();
    }
}
