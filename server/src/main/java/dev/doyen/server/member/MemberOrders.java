package dev.doyen.server.member;

import dev.doyen.Candidate;
import dev.doyen.elector.Deed;
import dev.doyen.event.Leader;
import dev.doyen.server.http.Deeds;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.http.OrdersUnderWay;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Carries out what is asked over HTTP of a process that stands in an election over a membership: only its own candidate can
 * be asked, for there is no record through which another could be.
 *
 * <p>Threads: those of {@link OrdersUnderWay}.
 */
final class MemberOrders implements Deeds {

    private static final int CONFLICT = 409;

    private final KnownElection known;
    private final Manner manner;
    private final OrdersUnderWay orders = new OrdersUnderWay();

    MemberOrders(KnownElection known, Manner manner) {
        this.known = known;
        this.manner = manner;
    }

    @Override
    public CompletionStage<HttpReply> carryOut(Deed deed) {
        return OrdersUnderWay.settled(
                orders.supply(() -> known.candidate()
                        .map(candidate -> deed.choose(new Carrying(candidate, manner)))
                        .orElseGet(() ->
                                OrdersUnderWay.away("this process has not joined yet; try again in a few seconds"))),
                OrdersUnderWay.PATIENCE_SECONDS + 5);
    }

    private static final class Carrying implements Deed.Kinds<HttpReply> {

        private final Candidate candidate;
        private final Manner manner;

        Carrying(Candidate candidate, Manner manner) {
            this.candidate = candidate;
            this.manner = manner;
        }

        @Override
        public HttpReply resign(Deed.Resign deed) {
            return stepDown(() -> deed.cooldown().map(candidate::resign).orElseGet(candidate::resign));
        }

        @Override
        public HttpReply transfer(Deed.Transfer deed) {
            return manner.handsOver()
                    ? stepDown(() -> candidate.transferTo(deed.to()))
                    : notSo("hands the leadership to nobody; resign, and the first in its order leads next");
        }

        private HttpReply stepDown(Supplier<CompletableFuture<Void>> order) {
            if (!candidate.isLeader()) {
                return OrdersUnderWay.refused(
                        CONFLICT,
                        candidate
                                .leader()
                                .map(Leader::id)
                                .map(id -> "this process does not lead; ask \"" + id + "\", which does")
                                .orElse("nobody leads, so nobody was asked"));
            }
            boolean inTime = order.get()
                    .thenApply(nothing -> true)
                    .completeOnTimeout(false, OrdersUnderWay.PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
            return OrdersUnderWay.done(
                    inTime ? 200 : 202,
                    inTime
                            ? "this candidate has stepped down"
                            : "this candidate steps down; its work has not stopped yet");
        }

        @Override
        public HttpReply pause(Deed.Pause deed) {
            return notSo("cannot be paused as a whole, for it has no record that all would see");
        }

        @Override
        public HttpReply resume(Deed.Resume deed) {
            return notSo("cannot be paused as a whole, so it is not paused");
        }

        @Override
        public HttpReply readState(Deed.ReadState deed) {
            return notSo("keeps no state for the next leader");
        }

        @Override
        public HttpReply saveState(Deed.SaveState deed) {
            return notSo("keeps no state for the next leader");
        }

        @Override
        public HttpReply stand(Deed.Stand deed) {
            return notSo("takes no candidacy over HTTP; the process stands while it runs");
        }

        @Override
        public HttpReply standBack(Deed.StandBack deed) {
            return notSo("takes no candidacy over HTTP; the process stands while it runs");
        }

        private HttpReply notSo(String what) {
            return OrdersUnderWay.refused(CONFLICT, "an election " + manner.words() + " " + what);
        }
    }
}
