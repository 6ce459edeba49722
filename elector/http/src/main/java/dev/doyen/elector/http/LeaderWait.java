package dev.doyen.elector.http;

import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.wording.Spans;
import dev.doyen.elector.wording.Wording;
import dev.doyen.event.Leader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until a leader has obeyed an admin command, and replies with the outcome.
 *
 * <p>It checks this process's snapshot of the election 50 times a second.
 *
 * <p>Threads: any; no thread blocks.
 */
public final class LeaderWait {

    private static final long LOOK_MILLIS = 20;

    /** The same as on the command line. One ttl until a silent leader is replaced, and another as reserve. */
    private static final int USUAL_WAIT_IN_TTLS = 2;

    private final Supplier<Optional<ElectionView>> election;
    private final Duration usualWait;

    /**
     * Creates a wait with a default duration of two ttls, at most {@link AdminCommand#MAX_WAIT}.
     *
     * @param election returns this process's snapshot of the election, from memory
     * @param ttl the time after which a silent leader is replaced
     */
    public LeaderWait(Supplier<Optional<ElectionView>> election, Duration ttl) {
        this.election = election;
        boolean isShort = ttl.compareTo(AdminCommand.MAX_WAIT.dividedBy(USUAL_WAIT_IN_TTLS)) < 0;
        this.usualWait = isShort ? ttl.multipliedBy(USUAL_WAIT_IN_TTLS) : AdminCommand.MAX_WAIT;
    }

    /** The requested duration of the wait, or the default. */
    public Duration of(Optional<Duration> wait) {
        return wait.orElse(usualWait);
    }

    /** The reply if {@code to} already leads, so that no request is necessary; otherwise empty. */
    public Optional<HttpReply> leadsAlready(String to) {
        return leader().filter(leader -> leader.id().equals(to))
                .map(leader -> PendingAdminCommands.done(
                        200, Wording.text(leader) + " leads already, so nothing was asked", Optional.of(leader)));
    }

    /**
     * Replies when a later term than that of {@code asked} begins, or after {@code wait}.
     *
     * <p>The status is 200 if {@code to} leads that term, 409 if another candidate does, and 202 after {@code wait}.
     */
    public CompletableFuture<HttpReply> transferred(Leader asked, String to, Duration wait) {
        return look(
                () -> leader().filter(next -> next.term() > asked.term()).map(next -> transferred(next, to)),
                () -> unfinishedTransfer(asked, to, wait),
                wait);
    }

    /** Replies 200 when {@code asked} does not lead any more, and 202 after {@code wait}. */
    public CompletableFuture<HttpReply> resigned(Leader asked, Duration wait) {
        return look(
                () -> isOver(asked) ? Optional.of(resigned(asked)) : Optional.empty(),
                () -> PendingAdminCommands.done(202, unfinished(asked, "to step down", wait), Optional.of(asked)),
                wait);
    }

    /** Replies with {@code end} as soon as it is present, or with {@code late} after {@code wait}. */
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
                CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(() -> look(reply, end, late, untilNanos));
            }
        } catch (Throwable e) {
            reply.completeExceptionally(e);
        }
    }

    private Optional<Leader> leader() {
        return election.get().flatMap(ElectionView::leader);
    }

    /**
     * True if the term is over.
     *
     * <p>The snapshot may be older than the term, so a snapshot with a lower term proves nothing.
     */
    private boolean isOver(Leader asked) {
        return election.get()
                .filter(now -> now.lastTerm() >= asked.term() && !now.leader().equals(Optional.of(asked)))
                .isPresent();
    }

    private static HttpReply transferred(Leader next, String to) {
        return next.id().equals(to)
                ? PendingAdminCommands.done(200, leadsNow(next), Optional.of(next))
                : PendingAdminCommands.refused(
                        409,
                        leadsNow(next) + ", because " + Wording.quoted(to)
                                + " did not take over; check that it runs and is eligible",
                        Optional.of(next));
    }

    private HttpReply unfinishedTransfer(Leader asked, String to, Duration wait) {
        Optional<Leader> leader = leader();
        String sentence = leader.isPresent()
                ? unfinished(asked, "to hand over to " + Wording.quoted(to), wait)
                : Wording.text(asked) + " has stepped down, but nobody has taken over within " + Spans.text(wait)
                        + "; check that " + Wording.quoted(to) + " runs and is eligible";
        return PendingAdminCommands.done(202, sentence, leader);
    }

    private HttpReply resigned(Leader asked) {
        Optional<Leader> leader = leader();
        String now = leader.map(LeaderWait::leadsNow).orElse("nobody leads now");
        return PendingAdminCommands.done(200, Wording.text(asked) + " has stepped down; " + now, leader);
    }

    private static String leadsNow(Leader next) {
        return Wording.quoted(next.id()) + " leads now, in term " + next.term();
    }

    private static String unfinished(Leader asked, String what, Duration wait) {
        return Wording.text(asked) + " is asked " + what
                + (wait.isZero() ? "" : ", and still leads after " + Spans.text(wait));
    }
}
