package dev.doyen.server.sidecar.driver;

import dev.doyen.NotLeaderException;
import dev.doyen.elector.Deed;
import dev.doyen.event.HandOverState;
import dev.doyen.server.http.Deeds;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.http.OrdersUnderWay;
import dev.doyen.server.sidecar.Standing;
import dev.doyen.store.ElectionNames;
import dev.doyen.store.LeaseRecord;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Carries out what is asked over HTTP: of the own candidate if it leads, else of whoever leads, through the record.
 *
 * <p>Threads: those of {@link OrdersUnderWay}.
 */
final class OrderDesk implements Deeds {

    private final Seat seat;
    private final OrdersUnderWay orders = new OrdersUnderWay();

    OrderDesk(Seat seat) {
        this.seat = seat;
    }

    @Override
    public CompletionStage<HttpReply> carryOut(Deed deed) {
        return OrdersUnderWay.settled(orders.supply(() -> reply(deed)), OrdersUnderWay.PATIENCE_SECONDS + 5);
    }

    private HttpReply reply(Deed deed) {
        if (seat.opened().isEmpty()) {
            return OrdersUnderWay.away("the store is not open yet; try again in a few seconds");
        }
        return deed.choose(new Carrying());
    }

    private static HttpReply done(String sentence) {
        return OrdersUnderWay.done(200, sentence);
    }

    private HttpReply givenBack(CompletableFuture<Void> settled) {
        boolean inTime = settled.thenApply(nothing -> true)
                .completeOnTimeout(false, OrdersUnderWay.PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        return inTime
                ? done("this candidate has stepped down")
                : OrdersUnderWay.done(
                        202,
                        "this candidate steps down; the lease is not given back yet, for the store gives no answer");
    }

    /** Refuses an id that is not the own candidate's, for no other can be spoken for here. */
    private Optional<HttpReply> refusal(String id) {
        var own = seat.settings().id();
        return id.equals(own)
                ? Optional.empty()
                : Optional.of(OrdersUnderWay.refused(
                        404, "this program's only candidate is \"" + own + "\"; ask the program of the other"));
    }

    private final class Carrying implements Deed.Kinds<HttpReply> {

        private final Seat.Opened opened = seat.opened().orElseThrow();

        @Override
        public HttpReply resign(Deed.Resign deed) {
            if (seat.appStopped()) {
                return done("the lease is being given back");
            }
            if (opened.candidate().isLeader()) {
                return givenBack(deed.cooldown().map(opened.candidate()::resign).orElseGet(opened.candidate()::resign));
            }
            return OrdersUnderWay.asked(seat.control().resign(deed.reason()), "step down");
        }

        @Override
        public HttpReply transfer(Deed.Transfer deed) {
            ElectionNames.check("candidate id", deed.to());
            if (opened.candidate().isLeader()) {
                return givenBack(opened.candidate().transferTo(deed.to()));
            }
            return OrdersUnderWay.asked(
                    seat.control().transferTo(deed.to(), deed.reason()), "hand over to \"" + deed.to() + "\"");
        }

        @Override
        public HttpReply pause(Deed.Pause deed) {
            seat.control().pause(deed.reason());
            return OrdersUnderWay.done(202, "nobody may lead; a leader steps down when it sees that");
        }

        @Override
        public HttpReply resume(Deed.Resume deed) {
            return done(
                    seat.control().resume().isPresent() ? "somebody may lead again" : "the election was not paused");
        }

        @Override
        public HttpReply readState(Deed.ReadState deed) {
            var state = opened.candidate()
                    .leadership()
                    .map(own -> own.state())
                    .orElseGet(
                            () -> seat.read().record().map(LeaseRecord::state).orElse(HandOverState.EMPTY));
            return new HttpReply(
                    200,
                    Map.of("Content-Type", "application/octet-stream", "Cache-Control", "no-cache"),
                    state.bytes());
        }

        @Override
        public HttpReply saveState(Deed.SaveState deed) {
            var leadership = opened.candidate().leadership();
            if (leadership.isEmpty()) {
                return notLeading("this candidate does not lead, so it leaves nothing; ask the one that does");
            }
            try {
                leadership.get().save(deed.state());
                return done("stored in term " + leadership.get().term());
            } catch (NotLeaderException e) {
                return notLeading(
                        "this candidate led no more before the state was stored; whether it is, is not known");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return OrdersUnderWay.away("this program is ending");
            }
        }

        @Override
        public HttpReply stand(Deed.Stand deed) {
            return refusal(deed.id()).orElseGet(() -> {
                long until = System.nanoTime() + deed.ttl().toNanos();
                seat.stand(standing -> standing.standUntil(until));
                return done("this candidate stands for " + deed.ttl().toMillis() + " ms, unless it is said again");
            });
        }

        @Override
        public HttpReply standBack(Deed.StandBack deed) {
            return refusal(deed.id()).orElseGet(() -> {
                seat.stand(Standing::standBack);
                return done("this candidate does not stand");
            });
        }

        private HttpReply notLeading(String sentence) {
            return OrdersUnderWay.refused(409, sentence);
        }
    }
}
