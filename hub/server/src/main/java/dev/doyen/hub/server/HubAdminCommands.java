package dev.doyen.hub.server;

import dev.doyen.Control;
import dev.doyen.elector.AcceptedCommand;
import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.http.AdminCommands;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LeaderWait;
import dev.doyen.elector.http.PendingAdminCommands;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.event.Leader;
import dev.doyen.hub.content.ClaimState;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.websocket.HubLoop;
import dev.doyen.hub.step.SlotStepDown;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Executes admin commands that arrive over HTTP for the hub's elections.
 *
 * <p>If a member of this hub holds the slot, the hub itself executes a resign or a transfer. If another process holds
 * the slot, the hub writes the command to the lease record. The hub always writes pause and resume to the record.
 *
 * <p>Commands that use the record wait for the store, so they run on the threads of {@link PendingAdminCommands}.
 */
final class HubAdminCommands implements AdminCommands {

    private final HubLoop hub;
    private final Claims claims;
    private final Duration claimTtl;
    private final PendingAdminCommands orders = new PendingAdminCommands();

    HubAdminCommands(HubLoop hub, Claims claims, Duration claimTtl) {
        this.hub = hub;
        this.claims = claims;
        this.claimTtl = claimTtl;
    }

    @Override
    public CompletionStage<HttpReply> carryOut(AcceptedCommand accepted) {
        AdminCommand command = accepted.command();
        return command.choose(new Carrying(
                new LeaderWait(() -> claims.elections().find(command.election()), claimTtl),
                accepted.by().name() + " through the hub"));
    }

    private final class Carrying implements AdminCommand.Kinds<CompletableFuture<HttpReply>> {

        private final LeaderWait waits;
        private final String by;

        /**
         * Creates the handler of one command.
         *
         * @param by the name of the admin in the lease record
         */
        Carrying(LeaderWait waits, String by) {
            this.waits = waits;
            this.by = by;
        }

        @Override
        public CompletableFuture<HttpReply> resign(AdminCommand.Resign command) {
            var stepDown = new SlotStepDown("", command.cooldown().orElse(claimTtl), command.reason());
            return stepDown(
                    command,
                    stepDown,
                    former -> CompletableFuture.completedFuture(
                            PendingAdminCommands.done(200, ElectionText.text(former) + " has stepped down")),
                    control -> control.resign(command.reason()),
                    outgoing -> waits.resigned(outgoing, waits.of(command.waitFor())));
        }

        @Override
        public CompletableFuture<HttpReply> transfer(AdminCommand.Transfer command) {
            // Rule M2: for half a ttl, only the successor may acquire the lease.
            var stepDown = new SlotStepDown(command.to(), claimTtl.dividedBy(2), command.reason());
            Function<Leader, CompletableFuture<HttpReply>> after =
                    outgoing -> waits.transferred(outgoing, command.to(), waits.of(command.waitFor()));
            return waits.leadsAlready(command.to())
                    .map(CompletableFuture::completedFuture)
                    .orElseGet(() -> stepDown(
                            command,
                            stepDown,
                            after,
                            control -> control.transferTo(command.to(), command.reason()),
                            after));
        }

        /**
         * Asks the holder to step down, directly or through the lease record.
         *
         * <p>The hub asks directly if the holder is a member of this hub.
         *
         * @param here the function that replies after the holder at this hub has stepped down
         * @param elsewhere the function that replies after the lease record contains the request to another holder
         */
        private CompletableFuture<HttpReply> stepDown(
                AdminCommand command,
                SlotStepDown stepDown,
                Function<Leader, CompletableFuture<HttpReply>> here,
                Function<Control, Optional<Leader>> order,
                Function<Leader, CompletableFuture<HttpReply>> elsewhere) {
            return PendingAdminCommands.settled(hub.stepDown(command.election(), stepDown)
                    .thenApply(result -> switch (result.outcome()) {
                        case DONE -> here.apply(result.former().orElseThrow());
                        case SUCCESSOR_AWAY -> refused(404, stepDown, "is not present on the channel", result.former());
                        case SUCCESSOR_NOT_ALLOWED ->
                            refused(409, stepDown, "has no key or token that allows it to lead", result.former());
                        case NOT_HELD ->
                            orders.carryOut(() -> claims.execute(command.election(), by, order)
                                    .map(elsewhere)
                                    .orElseGet(() ->
                                            CompletableFuture.completedFuture(PendingAdminCommands.nobodyLeads())));
                    }));
        }

        private CompletableFuture<HttpReply> refused(
                int status, SlotStepDown stepDown, String why, Optional<Leader> former) {
            return CompletableFuture.completedFuture(PendingAdminCommands.refused(
                    status,
                    ElectionText.quoted(stepDown.successor()) + " " + why + ", so "
                            + former.map(ElectionText::text).orElse("nobody") + " continues to lead",
                    former));
        }

        @Override
        public CompletableFuture<HttpReply> pause(AdminCommand.Pause command) {
            return execute(command.election(), control -> {
                control.pause(command.reason());
                return PendingAdminCommands.done(
                        202, "paused: no candidate may lead; a leader steps down when the hub reads the pause");
            });
        }

        @Override
        public CompletableFuture<HttpReply> resume(AdminCommand.Resume command) {
            return execute(
                    command.election(),
                    control -> PendingAdminCommands.done(
                            200,
                            control.resume().isPresent()
                                    ? "candidates may lead again"
                                    : "the election was not paused"));
        }

        @Override
        public CompletableFuture<HttpReply> readState(AdminCommand.ReadState command) {
            return orders.carryOut(() -> {
                var state = ClaimState.of(claims.left(command.election()));
                var headers = new LinkedHashMap<String, String>();
                headers.put("Content-Type", "application/octet-stream");
                headers.put("Cache-Control", "no-cache");
                state.filter(known -> known.term() > 0)
                        .ifPresent(known -> headers.put("Doyen-Term", Long.toString(known.term())));
                return CompletableFuture.completedFuture(
                        new HttpReply(200, headers, state.map(ClaimState::bytes).orElseGet(() -> new byte[0])));
            });
        }

        @Override
        public CompletableFuture<HttpReply> saveState(AdminCommand.SaveState command) {
            return notHere("a member saves on its channel, by a message named doyen:state");
        }

        @Override
        public CompletableFuture<HttpReply> campaign(AdminCommand.Campaign command) {
            return notHere("members of the hub claim on their channel");
        }

        @Override
        public CompletableFuture<HttpReply> withdraw(AdminCommand.Withdraw command) {
            return notHere("members of the hub release their claims on their channel");
        }

        private CompletableFuture<HttpReply> notHere(String sentence) {
            return CompletableFuture.completedFuture(PendingAdminCommands.refused(404, sentence));
        }

        private CompletableFuture<HttpReply> execute(String election, Function<Control, HttpReply> action) {
            return orders.carryOut(() -> CompletableFuture.completedFuture(claims.execute(election, by, action)));
        }
    }
}
