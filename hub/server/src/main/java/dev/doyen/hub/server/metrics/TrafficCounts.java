package dev.doyen.hub.server.metrics;

import dev.doyen.elector.audit.AuditEvent;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.server.audit.HubAudit;
import dev.doyen.hub.server.websocket.HubTap;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages and the rejections of a hub.
 *
 * <p>Threads: the hub's thread calls the methods of {@link HubTap}, and any thread may call the others.
 */
final class TrafficCounts implements HubTap {

    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder failedLogins = new LongAdder();
    /** The rejections by error code. The map always has exactly the codes of all {@link ErrorCode}s as keys. */
    private final Map<Integer, LongAdder> refusals = counters();

    private static Map<Integer, LongAdder> counters() {
        // All counters start at zero, because Prometheus computes no increase for a counter whose first value is 1.
        var counters = new TreeMap<Integer, LongAdder>();
        for (ErrorCode code : ErrorCode.values()) {
            counters.putIfAbsent(code.code(), new LongAdder());
        }
        return Collections.unmodifiableMap(counters);
    }

    @Override
    public void received(ProtocolMessage frame) {
        received.add(frame.messageCount());
    }

    @Override
    public void sent(ProtocolMessage frame) {
        sent.add(frame.messageCount());
    }

    @Override
    public void fannedOut(int receivers, ProtocolMessage frame) {
        sent.add((long) receivers * frame.messageCount());
    }

    @Override
    public void rejected(ClientIdentity client, String address, @Nullable String channel, ErrorInfo error) {
        count(error);
    }

    @Override
    public void rejectedRequest(String address, ErrorInfo error) {
        count(error);
    }

    private void count(ErrorInfo error) {
        LongAdder counter = refusals.get(error.code());
        if (counter != null) {
            counter.increment();
        }
        if (HubAudit.eventOf(error).filter(AuditEvent.LOGIN_FAILED::equals).isPresent()) {
            failedLogins.increment();
        }
    }

    /** Returns the number of messages that clients have sent over their sockets. Rejected messages also count. */
    long receivedMessages() {
        return received.sum();
    }

    /** Returns the number of messages for clients. A message counts once per receiver. */
    long sentMessages() {
        return sent.sum();
    }

    long failedLogins() {
        return failedLogins.sum();
    }

    /** Passes each error code and its number of rejections to {@code receiver}, in the order of the codes. */
    void forEachRefusal(BiConsumer<Integer, Long> receiver) {
        refusals.forEach((code, count) -> receiver.accept(code, count.sum()));
    }
}
