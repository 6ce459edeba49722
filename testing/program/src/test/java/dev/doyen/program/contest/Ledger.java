package dev.doyen.program.contest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Records what clients of one fenced channel saw, and checks it against the rules C2, C3, C10 and C11.
 *
 * <p>Its evidence is what clients have sent and received, and what each {@link Witness} has received. It knows only the
 * protocol, not the hub or the number of its nodes.
 *
 * <p>Threads: one. So the order of the records is an order in real time: a later record was sent, or arrived, later.
 *
 * <p>Errors: {@link AssertionError} at the first violation.
 */
final class Ledger {

    /** One publish with its sender's fields and its outcome. */
    private static final class Publish {
        final long fence;
        final String author;
        final long sentAt;
        long acceptedAt = Long.MAX_VALUE;
        boolean refused;
        boolean heard;

        Publish(long fence, String author, long sentAt) {
            this.fence = fence;
            this.author = author;
            this.sentAt = sentAt;
        }
    }

    /** The fence of a publish without one. */
    static final long UNFENCED = -1;

    private final Map<String, Publish> publishes = new HashMap<>();
    private final Map<Long, String> grants = new HashMap<>();
    /** When a client first received a term. */
    private final Map<Long, Long> grantedAt = new HashMap<>();

    private final List<Witness> witnesses = new ArrayList<>();
    private long happened;
    private @Nullable Throwable fault;

    int accepted;
    int refused;

    /**
     * Creates a witness.
     *
     * @param name its name in error messages
     */
    Witness witness(String name) {
        var witness = new Witness(this, name);
        witnesses.add(witness);
        return witness;
    }

    /** A client was informed that this member, on this connection, holds the claim in this term. */
    void granted(long term, String holder) {
        String before = grants.putIfAbsent(term, holder);
        grantedAt.putIfAbsent(term, ++happened);
        check(
                before == null || before.equals(holder),
                "two grants with one term: term " + term + " was " + before + "'s and is " + holder + "'s");
    }

    void sent(String id, long fence, String author) {
        publishes.put(id, new Publish(fence, author, ++happened));
    }

    void acked(String id) {
        Publish publish = known(id);
        check(!publish.refused, id + " was refused and then acknowledged");
        check(publish.fence != UNFENCED, id + " was accepted without a fence");
        accept(publish);
    }

    void nacked(String id) {
        Publish publish = known(id);
        check(!publish.heard, id + " was published and refused, fence " + publish.fence);
        if (!publish.refused) {
            publish.refused = true;
            refused++;
        }
    }

    /** A witness received a publish. */
    void heard(String id, long fence, String author) {
        Publish publish = known(id);
        check(fence != UNFENCED, id + " was published without a fence");
        check(publish.fence == fence, id + " was sent with fence " + publish.fence + " and published with " + fence);
        check(publish.author.equals(author), id + " is " + publish.author + "'s and was published as " + author + "'s");
        check(!publish.refused, id + " was refused and yet published, fence " + fence);
        publish.heard = true;
        accept(publish);
    }

    /** Records a violation found on another thread; {@link #checkUnspoiled} throws it. */
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

    /** Checks what needs the complete record. */
    void close() {
        checkUnspoiled();
        for (var each : publishes.entrySet()) {
            Publish publish = each.getValue();
            if (publish.acceptedAt != Long.MAX_VALUE) {
                String holder = grants.get(publish.fence);
                check(
                        publish.author.equals(holder),
                        each.getKey() + " of " + publish.author + " was accepted in term " + publish.fence
                                + ", which was " + holder + "'s");
            }
        }
        checkSending();
        new OrderingCheck(witnesses.stream()
                        .flatMap(each -> each.stretches().stream())
                        .toList())
                .check();
    }

    /** Checks accepted publishes against higher terms that were accepted or known before they were sent. */
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
        long told = 0;
        for (Publish sent = bySending.poll(); sent != null; sent = bySending.poll()) {
            while (!byAcceptance.isEmpty() && byAcceptance.element().acceptedAt < sent.sentAt) {
                highest = Math.max(highest, byAcceptance.remove().fence);
            }
            check(
                    sent.fence >= highest,
                    "a publish of " + sent.author + " was accepted with fence " + sent.fence
                            + ", although it was sent after one with fence " + highest + " was accepted");
            while (!byGrant.isEmpty() && byGrant.element().getValue() < sent.sentAt) {
                told = Math.max(told, byGrant.remove().getKey());
            }
            check(
                    sent.fence >= told,
                    "a publish of " + sent.author + " was accepted with fence " + sent.fence
                            + ", although it was sent after it was told who leads in term " + told);
        }
    }

    /** The highest term that any client received; 0 before the first. */
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
