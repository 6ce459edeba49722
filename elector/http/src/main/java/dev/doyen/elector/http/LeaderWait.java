package dev.doyen.elector.http;

import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.elector.text.Spans;
import dev.doyen.event.Leader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until a leader has carried out an admin command, and replies with the outcome.
 *
 * <p>The class checks this process's snapshot of the election 50 times a second.
 *
 * <p>Threads: any. No thread blocks.
 */
public final class LeaderWait {

    private static final long LOOK_MILLIS = 20;

    /**
     * The default wait in ttls, which the command line also uses. A silent leader is replaced within one ttl, and the
     * second ttl is a reserve.
     */
    private static final int USUAL_WAIT_IN_TTLS = 2;

    private final Supplier<Optional<ElectionView>> election;
    private final Duration usualWait;

    /**
     * Creates an object whose default wait is two ttls, but at most {@link AdminCommand#MAX_WAIT}.
     *
     * @param election the function that returns this process's snapshot of the election from memory
     * @param ttl the time after which a silent leader is replaced
     */
    public LeaderWait(Supplier<Optional<ElectionView>> election, Duration ttl) {
        this.election = election;
        boolean isShort = ttl.compareTo(AdminCommand.MAX_WAIT.dividedBy(USUAL_WAIT_IN_TTLS)) < 0;
        this.usualWait = isShort ? ttl.multipliedBy(USUAL_WAIT_IN_TTLS) : AdminCommand.MAX_WAIT;
    }

    /** Returns the requested duration of the wait; the default duration if none is requested. */
    public Duration of(Optional<Duration> wait) {
        return wait.orElse(usualWait);
    }

    /**
     * Returns the reply if {@code to} already leads. In this case no transfer is necessary. Otherwise returns empty.
     */
    public Optional<HttpReply> leadsAlready(String to) {
        return leader().filter(leader -> leader.id().equals(to))
                .map(leader -> PendingAdminCommands.done(
                        200,
                        ElectionText.text(leader) + " leads already, so no command was sent",
                        Optional.of(leader)));
    }

    /**
     * Replies when a later term begins, or after {@code wait}.
     *
     * <p>A later term has a higher number than the term of {@code outgoing}. The status is 200 if {@code to} leads the
     * later term, 409 if another candidate leads the later term, and 202 after {@code wait}.
     */
    public CompletableFuture<HttpReply> transferred(Leader outgoing, String to, Duration wait) {
        return look(
                () -> leader().filter(next -> next.term() > outgoing.term()).map(next -> transferred(next, to)),
                () -> unfinishedTransfer(outgoing, to, wait),
                wait);
    }

    /** Replies with 200 when {@code outgoing} no longer leads, or with 202 after {@code wait}. */
    public CompletableFuture<HttpReply> resigned(Leader outgoing, Duration wait) {
        return look(
                () -> isOver(outgoing) ? Optional.of(resigned(outgoing)) : Optional.empty(),
                () -> PendingAdminCommands.done(202, unfinished(outgoing, "to step down", wait), Optional.of(outgoing)),
                wait);
    }

    /** Replies with the result of {@code end} when it is present, or with {@code late} after {@code wait}. */
    private static CompletableFuture<HttpReply> look(
            Supplier<Optional<HttpReply>> end, Supplier<HttpReply> late, Duration wait) {
        var reply = new CompletableFuture<HttpReply>();
        look(reply, end, late, System.nanoTime() + wait.toNanos());
        return reply;
    }

    private static void look(
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
                // A delayed executor would need another thread. If that thread could not be started, the reply would
                // never complete.
                CompletableFuture<Void> unused = new CompletableFuture<Void>()
                        .completeOnTimeout(null, LOOK_MILLIS, TimeUnit.MILLISECONDS)
                        .thenRun(() -> look(reply, end, late, untilNanos));
            }
        } catch (Throwable e) {
            reply.completeExceptionally(e);
        }
    }

    private Optional<Leader> leader() {
        return election.get().flatMap(ElectionView::leader);
    }

    /**
     * Returns true if the term has ended.
     *
     * <p>The snapshot can be older than the term. So a snapshot with a lower term does not prove that the term has
     * ended.
     */
    private boolean isOver(Leader outgoing) {
        return election.get()
                .filter(now ->
                        now.lastTerm() >= outgoing.term() && !now.leader().equals(Optional.of(outgoing)))
                .isPresent();
    }

    private static HttpReply transferred(Leader next, String to) {
        return next.id().equals(to)
                ? PendingAdminCommands.done(200, leadsNow(next), Optional.of(next))
                : PendingAdminCommands.refused(
                        409,
                        leadsNow(next) + ", because " + ElectionText.quoted(to)
                                + " did not take over; check that it runs and is eligible",
                        Optional.of(next));
    }

    private HttpReply unfinishedTransfer(Leader outgoing, String to, Duration wait) {
        Optional<Leader> leader = leader();
        String sentence = leader.isPresent()
                ? unfinished(outgoing, "to hand over to " + ElectionText.quoted(to), wait)
                : ElectionText.text(outgoing) + " has stepped down, but nobody has taken over within "
                        + Spans.text(wait) + "; check that " + ElectionText.quoted(to) + " runs and is eligible";
        return PendingAdminCommands.done(202, sentence, leader);
    }

    private HttpReply resigned(Leader outgoing) {
        Optional<Leader> leader = leader();
        String now = leader.map(LeaderWait::leadsNow).orElse("nobody leads now");
        return PendingAdminCommands.done(200, ElectionText.text(outgoing) + " has stepped down; " + now, leader);
    }

    private static String leadsNow(Leader next) {
        return ElectionText.quoted(next.id()) + " leads now, in term " + next.term();
    }

    private static String unfinished(Leader outgoing, String what, Duration wait) {
        return ElectionText.text(outgoing) + " is asked " + what
                + (wait.isZero() ? "" : ", and still leads after " + Spans.text(wait));
    }
}
