package dev.doyen.server;

import dev.doyen.Control;
import dev.doyen.elector.Deed;
import dev.doyen.event.Leader;
import dev.doyen.hub.Deposition;
import dev.doyen.hub.HubEffect;
import dev.doyen.hub.SavedState;
import dev.doyen.server.claims.Claims;
import dev.doyen.server.http.Deeds;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.http.OrdersUnderWay;
import dev.doyen.server.websocket.HubLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries out what is asked over HTTP of a hub's elections: of the hub if one of its members holds the slot, else of
 * whoever does, through the record.
 *
 * <p>Threads: those of {@link OrdersUnderWay}, for what goes through the record waits for the store.
 */
final class HubOrders implements Deeds {

    private static final String BY = "an admin of the hub";

    private final HubLoop hub;
    private final Claims claims;
    private final Duration claimTtl;
    private final OrdersUnderWay orders = new OrdersUnderWay();

    HubOrders(HubLoop hub, Claims claims, Duration claimTtl) {
        this.hub = hub;
        this.claims = claims;
        this.claimTtl = claimTtl;
    }

    @Override
    public CompletionStage<HttpReply> carryOut(Deed deed) {
        return OrdersUnderWay.settled(deed.choose(new Carrying()), OrdersUnderWay.PATIENCE_SECONDS);
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
                return OrdersUnderWay.done(202, "nobody may lead; a leader steps down when the hub sees that");
            });
        }

        @Override
        public CompletableFuture<HttpReply> resume(Deed.Resume deed) {
            return ask(
                    deed.election(),
                    control -> OrdersUnderWay.done(
                            200,
                            control.resume().isPresent() ? "somebody may lead again" : "the election was not paused"));
        }

        @Override
        public CompletableFuture<HttpReply> readState(Deed.ReadState deed) {
            return orders.supply(() -> {
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
            return CompletableFuture.completedFuture(OrdersUnderWay.refused(404, sentence));
        }

        private CompletableFuture<HttpReply> answer(
                HubEffect.Deposed result, String what, Supplier<CompletableFuture<HttpReply>> elsewhere) {
            String who = result.former()
                    .map(leader -> "\"" + leader.id() + "\" (term " + leader.term() + ")")
                    .orElse("nobody");
            return switch (result.outcome()) {
                case DONE -> CompletableFuture.completedFuture(OrdersUnderWay.done(200, who + " " + what));
                case HEIR_AWAY ->
                    CompletableFuture.completedFuture(OrdersUnderWay.refused(
                            409, "nobody of that name is present on the channel, so " + who + " goes on"));
                case NOT_HELD -> elsewhere.get();
            };
        }

        private CompletableFuture<HttpReply> elsewhere(
                String election, Function<Control, Optional<Leader>> order, String what) {
            return ask(election, control -> OrdersUnderWay.asked(order.apply(control), what));
        }

        private CompletableFuture<HttpReply> ask(String election, Function<Control, HttpReply> question) {
            return orders.supply(() -> claims.ask(election, BY, question));
        }
    }
}
