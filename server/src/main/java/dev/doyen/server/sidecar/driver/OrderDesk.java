package dev.doyen.server.sidecar.driver;

import dev.doyen.NotLeaderException;
import dev.doyen.elector.Deed;
import dev.doyen.elector.ElectorResponse;
import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.server.http.Deeds;
import dev.doyen.server.http.ElectorSite;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.sidecar.Standing;
import dev.doyen.store.ElectionNames;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.StoreUnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Carries out what is asked over HTTP: of the own candidate if it leads, else of whoever leads, through the record.
 *
 * <p>Threads: its own, at most {@value #MAX_ORDERS}, for orders wait for the store; one too many is refused.
 */
final class OrderDesk implements Deeds {

    private static final int MAX_ORDERS = 4;
    private static final long PATIENCE_SECONDS = 10;

    private final Seat seat;
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, MAX_ORDERS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                var thread = new Thread(task, "doyen-order");
                thread.setDaemon(true);
                return thread;
            });

    OrderDesk(Seat seat) {
        this.seat = seat;
    }

    @Override
    public CompletionStage<HttpReply> carryOut(Deed deed) {
        try {
            return CompletableFuture.supplyAsync(() -> reply(deed), threads)
                    .completeOnTimeout(
                            ElectorSite.reply(
                                    away("the store gives no answer; whether the order is written is not known")),
                            PATIENCE_SECONDS + 5,
                            TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(
                    ElectorSite.reply(away("there are " + MAX_ORDERS + " orders under way; try again in a second")));
        }
    }

    private HttpReply reply(Deed deed) {
        if (seat.opened().isEmpty()) {
            return ElectorSite.reply(away("the store is not open yet; try again in a few seconds"));
        }
        try {
            return deed.choose(new Carrying());
        } catch (IllegalArgumentException e) {
            return ElectorSite.reply(ElectorResponse.problem(400, "Bad Request", String.valueOf(e.getMessage())));
        } catch (StoreUnavailableException e) {
            return ElectorSite.reply(
                    away("the store gives no answer; whether the order is written is not known: " + e.getMessage()));
        }
    }

    private static ElectorResponse away(String sentence) {
        return ElectorResponse.problem(503, "Service Unavailable", sentence);
    }

    private static HttpReply done(String sentence) {
        return ElectorSite.reply(ElectorResponse.done(200, sentence));
    }

    private static HttpReply asked(Optional<Leader> leader, String what) {
        return ElectorSite.reply(leader.map(asked -> ElectorResponse.done(
                        202, "\"" + asked.id() + "\" (term " + asked.term() + ") is asked to " + what))
                .orElseGet(() -> ElectorResponse.problem(409, "Conflict", "nobody leads, so nobody was asked")));
    }

    private HttpReply givenBack(CompletableFuture<Void> settled) {
        boolean inTime = settled.thenApply(nothing -> true)
                .completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        return inTime
                ? done("this candidate has stepped down")
                : ElectorSite.reply(ElectorResponse.done(
                        202,
                        "this candidate steps down; the lease is not given back yet, for the store gives no answer"));
    }

    /** Refuses an id that is not the own candidate's, for no other can be spoken for here. */
    private Optional<HttpReply> refusal(String id) {
        var own = seat.settings().id();
        return id.equals(own)
                ? Optional.empty()
                : Optional.of(ElectorSite.reply(ElectorResponse.problem(
                        404,
                        "Not Found",
                        "this program's only candidate is \"" + own + "\"; ask the program of the other")));
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
            return asked(seat.control().resign(deed.reason()), "step down");
        }

        @Override
        public HttpReply transfer(Deed.Transfer deed) {
            ElectionNames.check("candidate id", deed.to());
            if (opened.candidate().isLeader()) {
                return givenBack(opened.candidate().transferTo(deed.to()));
            }
            return asked(seat.control().transferTo(deed.to(), deed.reason()), "hand over to \"" + deed.to() + "\"");
        }

        @Override
        public HttpReply pause(Deed.Pause deed) {
            seat.control().pause(deed.reason());
            return ElectorSite.reply(
                    ElectorResponse.done(202, "nobody may lead; a leader steps down when it sees that"));
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
                return ElectorSite.reply(away("this program is ending"));
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
            return ElectorSite.reply(ElectorResponse.problem(409, "Conflict", sentence));
        }
    }
}
