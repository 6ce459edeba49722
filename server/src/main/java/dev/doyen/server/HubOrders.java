package dev.doyen.server;

import dev.doyen.Control;
import dev.doyen.elector.Deed;
import dev.doyen.elector.ElectorResponse;
import dev.doyen.event.Leader;
import dev.doyen.hub.Deposition;
import dev.doyen.hub.HubEffect;
import dev.doyen.hub.SavedState;
import dev.doyen.server.claims.Claims;
import dev.doyen.server.http.Deeds;
import dev.doyen.server.http.ElectorSite;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.websocket.HubLoop;
import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries out what is asked over HTTP of a hub's elections: of the hub if one of its members holds the slot, else of
 * whoever does, through the record.
 *
 * <p>Threads: its own, at most {@value #MAX_ORDERS}, for what goes through the record waits for the store; one too many
 * is refused.
 */
final class HubOrders implements Deeds {

    private static final int MAX_ORDERS = 4;
    private static final long PATIENCE_SECONDS = 10;
    private static final String BY = "an admin of the hub";

    private final HubLoop hub;
    private final Claims claims;
    private final Duration claimTtl;
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, MAX_ORDERS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                var thread = new Thread(task, "doyen-order");
                thread.setDaemon(true);
                return thread;
            });

    HubOrders(HubLoop hub, Claims claims, Duration claimTtl) {
        this.hub = hub;
        this.claims = claims;
        this.claimTtl = claimTtl;
    }

    @Override
    public CompletionStage<HttpReply> carryOut(Deed deed) {
        return deed.choose(new Carrying())
                .exceptionally(fault -> failed(fault.getCause() == null ? fault : fault.getCause()))
                .completeOnTimeout(
                        away("the store gives no answer; whether the order is written is not known"),
                        PATIENCE_SECONDS,
                        TimeUnit.SECONDS);
    }

    private static HttpReply failed(Throwable fault) {
        if (fault instanceof IllegalArgumentException) {
            return problem(400, "Bad Request", String.valueOf(fault.getMessage()));
        }
        if (fault instanceof StoreUnavailableException) {
            return away("the store gives no answer; whether the order is written is not known: " + fault.getMessage());
        }
        if (fault instanceof RejectedExecutionException) {
            return away("there are " + MAX_ORDERS + " orders under way; try again in a second");
        }
        throw new IllegalStateException(fault);
    }

    private static HttpReply away(String sentence) {
        return problem(503, "Service Unavailable", sentence);
    }

    private static HttpReply problem(int status, String title, String sentence) {
        return ElectorSite.reply(ElectorResponse.problem(status, title, sentence));
    }

    private static HttpReply done(int status, String sentence) {
        return ElectorSite.reply(ElectorResponse.done(status, sentence));
    }

    private final class Carrying implements Deed.Kinds<CompletableFuture<HttpReply>> {

        @Override
        public CompletableFuture<HttpReply> resign(Deed.Resign deed) {
            var deposition = new Deposition("", deed.cooldown().orElse(claimTtl), deed.reason());
            return hub.depose(deed.election(), deposition)
                    .thenCompose(result -> answer(
                            result,
                            "has stepped down",
                            () -> elsewhere(deed.election(), control -> control.resign(deed.reason()), "step down")));
        }

        @Override
        public CompletableFuture<HttpReply> transfer(Deed.Transfer deed) {
            // Rule M2: the heir has half a ttl.
            var deposition = new Deposition(deed.to(), claimTtl.dividedBy(2), deed.reason());
            return hub.depose(deed.election(), deposition)
                    .thenCompose(result -> answer(
                            result,
                            "has stepped down for \"" + deed.to() + "\"",
                            () -> elsewhere(
                                    deed.election(),
                                    control -> control.transferTo(deed.to(), deed.reason()),
                                    "hand over to \"" + deed.to() + "\"")));
        }

        @Override
        public CompletableFuture<HttpReply> pause(Deed.Pause deed) {
            return ask(deed.election(), control -> {
                control.pause(deed.reason());
                return done(202, "nobody may lead; a leader steps down when the hub sees that");
            });
        }

        @Override
        public CompletableFuture<HttpReply> resume(Deed.Resume deed) {
            return ask(
                    deed.election(),
                    control -> done(
                            200,
                            control.resume().isPresent() ? "somebody may lead again" : "the election was not paused"));
        }

        @Override
        public CompletableFuture<HttpReply> readState(Deed.ReadState deed) {
            return supply(() -> {
                var state = SavedState.of(claims.left(deed.election()));
                var headers = new LinkedHashMap<String, String>();
                headers.put("Content-Type", "application/octet-stream");
                headers.put("Cache-Control", "no-cache");
                state.filter(known -> known.term() > 0)
                        .ifPresent(known -> headers.put("Doyen-Term", Long.toString(known.term())));
                return new HttpReply(200, headers, state.map(SavedState::bytes).orElseGet(() -> new byte[0]));
            });
        }

        @Override
        public CompletableFuture<HttpReply> saveState(Deed.SaveState deed) {
            return notHere("a member saves on its channel, by a message named doyen:state");
        }

        @Override
        public CompletableFuture<HttpReply> stand(Deed.Stand deed) {
            return notHere("members of the hub claim on their channel");
        }

        @Override
        public CompletableFuture<HttpReply> standBack(Deed.StandBack deed) {
            return notHere("members of the hub give up on their channel");
        }

        private CompletableFuture<HttpReply> notHere(String sentence) {
            return CompletableFuture.completedFuture(problem(404, "Not Found", sentence));
        }

        private CompletableFuture<HttpReply> answer(
                HubEffect.Deposed result, String what, Supplier<CompletableFuture<HttpReply>> elsewhere) {
            String who = result.former()
                    .map(leader -> "\"" + leader.id() + "\" (term " + leader.term() + ")")
                    .orElse("nobody");
            return switch (result.outcome()) {
                case DONE -> CompletableFuture.completedFuture(done(200, who + " " + what));
                case HEIR_AWAY ->
                    CompletableFuture.completedFuture(problem(
                            409, "Conflict", "nobody of that name is present on the channel, so " + who + " goes on"));
                case NOT_HELD -> elsewhere.get();
            };
        }

        private CompletableFuture<HttpReply> elsewhere(
                String election, Function<Control, Optional<Leader>> order, String what) {
            return ask(
                    election,
                    control -> order.apply(control)
                            .map(leader -> done(
                                    202, "\"" + leader.id() + "\" (term " + leader.term() + ") is asked to " + what))
                            .orElseGet(() -> problem(409, "Conflict", "nobody leads, so nobody was asked")));
        }

        private CompletableFuture<HttpReply> ask(String election, Function<Control, HttpReply> question) {
            return supply(() -> claims.ask(election, BY, question));
        }

        private CompletableFuture<HttpReply> supply(Supplier<HttpReply> reply) {
            try {
                return CompletableFuture.supplyAsync(reply, threads);
            } catch (RejectedExecutionException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }
}
