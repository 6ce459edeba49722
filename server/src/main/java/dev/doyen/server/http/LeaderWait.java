package dev.doyen.server.http;

import dev.doyen.elector.Deed;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.Leader;
import dev.doyen.server.operator.Spans;
import dev.doyen.server.operator.Wording;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until a leader has obeyed an order, and replies with what has happened. It reads what the process knows of the
 * election, 50 times a second.
 *
 * <p>Threads: any; no thread waits.
 */
public final class LeaderWait {

    private static final long LOOK_MILLIS = 20;

    private final Supplier<Optional<ElectionView>> election;
    private final Duration usualWait;

    /**
     * @param election what the process knows of the election; answers from memory
     * @param usualWait the wait for an order that names none; cut at {@link Deed#MAX_WAIT}
     */
    public LeaderWait(Supplier<Optional<ElectionView>> election, Duration usualWait) {
        this.election = election;
        this.usualWait = usualWait.compareTo(Deed.MAX_WAIT) > 0 ? Deed.MAX_WAIT : usualWait;
    }

    /** For how long an order waits that asks for {@code wait}. */
    public Duration of(Optional<Duration> wait) {
        return wait.orElse(usualWait);
    }

    /** The candidate that leads now, if it is {@code to}: nothing needs to be asked then. */
    public Optional<HttpReply> leadsAlready(String to) {
        return leader().filter(leader -> leader.id().equals(to))
                .map(leader -> OrdersUnderWay.done(
                        200, Wording.text(leader) + " leads already, so nothing was asked", Optional.of(leader)));
    }

    /**
     * Replies once another term than that of {@code asked} begins: 200 if {@code to} leads it, 409 if another candidate does.
     * Replies 202 after {@code wait}.
     */
    public CompletableFuture<HttpReply> transferred(Leader asked, String to, Duration wait) {
        var reply = new CompletableFuture<HttpReply>();
        look(
                reply,
                () -> leader().filter(next -> next.term() > asked.term()).map(next -> transferred(next, to)),
                () -> unfinishedTransfer(asked, to, wait),
                System.nanoTime() + wait.toNanos());
        return reply;
    }

    /** Replies 200 once {@code asked} leads no more, and 202 after {@code wait}. */
    public CompletableFuture<HttpReply> resigned(Leader asked, Duration wait) {
        var reply = new CompletableFuture<HttpReply>();
        look(
                reply,
                () -> isOver(asked) ? Optional.of(resigned(asked)) : Optional.empty(),
                () -> OrdersUnderWay.done(202, unfinished(asked, "to step down", wait), Optional.of(asked)),
                System.nanoTime() + wait.toNanos());
        return reply;
    }

    private void look(
            CompletableFuture<HttpReply> reply,
            Supplier<Optional<HttpReply>> end,
            Supplier<HttpReply> late,
            long untilNanos) {
        try {
            Optional<HttpReply> found = end.get();
            if (found.isPresent()) {
                reply.complete(found.get());
            } else if (System.nanoTime() - untilNanos >= 0) {
                reply.complete(late.get());
            } else {
                CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(() -> look(reply, end, late, untilNanos));
            }
        } catch (RuntimeException e) {
            reply.completeExceptionally(e);
        }
    }

    private Optional<Leader> leader() {
        return election.get().flatMap(ElectionView::leader);
    }

    /** True if the term is over. What is known of the election may be older than the term. */
    private boolean isOver(Leader asked) {
        return election.get()
                .filter(now -> now.lastTerm() >= asked.term()
                        && !now.leader().equals(Optional.of(asked)))
                .isPresent();
    }

    private static HttpReply transferred(Leader next, String to) {
        String leadsNow = Wording.quoted(next.id()) + " leads now, in term " + next.term();
        return next.id().equals(to)
                ? OrdersUnderWay.done(200, leadsNow, Optional.of(next))
                : OrdersUnderWay.refused(
                        409,
                        leadsNow + ", because " + Wording.quoted(to)
                                + " did not take over; check that it runs and is eligible",
                        Optional.of(next));
    }

    private HttpReply unfinishedTransfer(Leader asked, String to, Duration wait) {
        Optional<Leader> leader = leader();
        String sentence = leader.isPresent()
                ? unfinished(asked, "to hand over to " + Wording.quoted(to), wait)
                : Wording.text(asked) + " has stepped down, but nobody has taken over within " + Spans.text(wait)
                        + "; check that " + Wording.quoted(to) + " runs and is eligible";
        return OrdersUnderWay.done(202, sentence, leader);
    }

    private HttpReply resigned(Leader asked) {
        Optional<Leader> leader = leader();
        String now = leader.map(next -> Wording.quoted(next.id()) + " leads now, in term " + next.term())
                .orElse("nobody leads now");
        return OrdersUnderWay.done(200, Wording.text(asked) + " has stepped down; " + now, leader);
    }

    private static String unfinished(Leader asked, String what, Duration wait) {
        return Wording.text(asked) + " is asked " + what
                + (wait.isZero() ? "" : ", and still leads after " + Spans.text(wait));
    }
}
