package dev.doyen.server.console;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.server.websocket.HubTap;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts what goes through the hub, and remembers the latest refusals. On the hub's thread only. */
final class Figures implements HubTap {

    private final int kept;
    private final LongSupplier wallMillis;
    private final ArrayDeque<Refused> refusals = new ArrayDeque<>();

    private long received;
    private long delivered;
    private long refused;
    private @Nullable String channel;

    /** @param kept how many refusals are remembered */
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
        // CONNECTED and ATTACHED carry errors that refuse nothing.
        if (error != null && frame.action() != Action.CONNECTED && frame.action() != Action.ATTACHED) {
            refused++;
            remember(clientId, frame.channel() == null ? channel : frame.channel(), error);
        }
    }

    /** Only those that come too fast: all others are between a program and its log, and anybody can make any number. */
    @Override
    public void refusedRequest(ErrorInfo error) {
        if (error.code() == ErrorCode.RATE_LIMITED.code()) {
            refused++;
            // The sentence says who it is, and whoever asks too fast is refused often: others are to be seen as well.
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

    /** Messages that clients have published. */
    long received() {
        return received;
    }

    /** Messages that were sent to clients, each as often as it had receivers. */
    long delivered() {
        return delivered;
    }

    long refused() {
        return refused;
    }

    /** The latest, newest last. */
    List<Refused> refusals() {
        return List.copyOf(refusals);
    }

    private static int messages(ProtocolMessage frame) {
        return frame.messages() == null ? 0 : frame.messages().size();
    }
}
