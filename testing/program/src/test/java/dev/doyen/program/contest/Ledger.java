package dev.doyen.program.contest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Records the messages of one fenced channel's clients, and checks them against the rules C2, C3, C10 and C11.
 *
 * <p>The records are the messages that clients have sent and received, and the messages that each {@link Witness} has
 * received. The ledger uses only the protocol. It works with any hub and any number of nodes.
 *
 * <p>Threads: one. So the order of the records is the order in real time in which the messages were sent or received.
 *
 * <p>Errors: {@link AssertionError} at the first violation.
 */
final class Ledger {

    /** One publish, with its outcome and the fields that the sender has set. */
    private static final class Publish {
        final long fence;
        final String author;
        final long sentAt;
        long acceptedAt = Long.MAX_VALUE;
        boolean refused;
        boolean delivered;

        Publish(long fence, String author, long sentAt) {
            this.fence = fence;
            this.author = author;
            this.sentAt = sentAt;
        }
    }

    /** The value for a publish without a fence. */
    static final long UNFENCED = -1;

    private final Map<String, Publish> publishes = new HashMap<>();
    private final Map<Long, String> grants = new HashMap<>();
    /** For each term, the time at which a client first received it. The times are counts of events. */
    private final Map<Long, Long> grantedAt = new HashMap<>();

    private final List<Witness> witnesses = new ArrayList<>();
    private long happened;
    private @Nullable Throwable fault;

    int accepted;
    int refused;

    /**
     * Creates a witness.
     *
     * @param name the name of the witness in error messages
     */
    Witness witness(String name) {
        var witness = new Witness(this, name);
        witnesses.add(witness);
        return witness;
    }

    /** Records that a client received the message that {@code holder} leads in this term. */
    void granted(long term, String holder) {
        String before = grants.putIfAbsent(term, holder);
        grantedAt.putIfAbsent(term, ++happened);
        check(
                before == null || before.equals(holder),
                "two holders of one term: term " + term + " belongs to " + before + " and to " + holder);
    }

    void sent(String id, long fence, String author) {
        publishes.put(id, new Publish(fence, author, ++happened));
    }

    void acked(String id) {
        Publish publish = known(id);
        check(!publish.refused, id + " was rejected and then acknowledged");
        check(publish.fence != UNFENCED, id + " was accepted without a fence");
        accept(publish);
    }

    void nacked(String id) {
        Publish publish = known(id);
        check(!publish.delivered, id + " was published and rejected, fence " + publish.fence);
        if (!publish.refused) {
            publish.refused = true;
            refused++;
        }
    }

    /** Records that a witness received a publish. */
    void delivered(String id, long fence, String author) {
        Publish publish = known(id);
        check(fence != UNFENCED, id + " was published without a fence");
        check(publish.fence == fence, id + " was sent with fence " + publish.fence + " and published with " + fence);
        check(publish.author.equals(author), id + " of " + publish.author + " was published as a message of " + author);
        check(!publish.refused, id + " was rejected but published, fence " + fence);
        publish.delivered = true;
        accept(publish);
    }

    /**
     * Records a violation that a callback of a connection has found. {@link #checkUnspoiled} throws the first such
     * violation.
     */
    void spoiled(Throwable found) {
        if (fault == null) {
            fault = found;
        }
    }

    void checkUnspoiled() {
        if (fault != null) {
            throw new AssertionError(fault.getMessage(), fault);
        }
    }

    /** Runs the checks that need the complete record. */
    void close() {
        checkUnspoiled();
        for (var each : publishes.entrySet()) {
            Publish publish = each.getValue();
            if (publish.acceptedAt != Long.MAX_VALUE) {
                String holder = grants.get(publish.fence);
                check(
                        publish.author.equals(holder),
                        each.getKey() + " of " + publish.author + " was accepted in term " + publish.fence
                                + ", whose holder was " + holder);
            }
        }
        checkSending();
        new OrderingCheck(witnesses.stream()
                        .flatMap(each -> each.stretches().stream())
                        .toList())
                .check();
    }

    /**
     * Checks that no accepted publish was sent too late.
     *
     * <p>A publish is too late if, before the sender sent it, a client had received a higher term or the hub had
     * accepted a publish with a higher fence.
     */
    private void checkSending() {
        var bySending = new PriorityQueue<Publish>((a, b) -> Long.compare(a.sentAt, b.sentAt));
        var byAcceptance = new PriorityQueue<Publish>((a, b) -> Long.compare(a.acceptedAt, b.acceptedAt));
        for (Publish publish : publishes.values()) {
            if (publish.acceptedAt != Long.MAX_VALUE) {
                bySending.add(publish);
                byAcceptance.add(publish);
            }
        }
        var byGrant = new PriorityQueue<Map.Entry<Long, Long>>((a, b) -> Long.compare(a.getValue(), b.getValue()));
        byGrant.addAll(grantedAt.entrySet());
        long highest = 0;
        long reportedTerm = 0;
        for (Publish sent = bySending.poll(); sent != null; sent = bySending.poll()) {
            while (!byAcceptance.isEmpty() && byAcceptance.element().acceptedAt < sent.sentAt) {
                highest = Math.max(highest, byAcceptance.remove().fence);
            }
            check(
                    sent.fence >= highest,
                    "a publish of " + sent.author + " was accepted with fence " + sent.fence
                            + ", although it was sent after the acceptance of fence " + highest);
            while (!byGrant.isEmpty() && byGrant.element().getValue() < sent.sentAt) {
                reportedTerm = Math.max(reportedTerm, byGrant.remove().getKey());
            }
            check(
                    sent.fence >= reportedTerm,
                    "a publish of " + sent.author + " was accepted with fence " + sent.fence
                            + ", although it was sent after the report of term " + reportedTerm);
        }
    }

    /** Returns the highest term that any client received; 0 if no client has received a term. */
    long newestTerm() {
        return grants.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    long terms() {
        return grants.size();
    }

    private void accept(Publish publish) {
        if (publish.acceptedAt == Long.MAX_VALUE) {
            publish.acceptedAt = ++happened;
            accepted++;
        }
    }

    private Publish known(String id) {
        Publish publish = publishes.get(id);
        check(publish != null, id + " was never sent");
        return publish;
    }

    static void check(boolean kept, String otherwise) {
        if (!kept) {
            throw new AssertionError(otherwise);
        }
    }
}
