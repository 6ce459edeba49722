package dev.doyen.sidecar.driver;

import dev.doyen.election.NotLeaderException;
import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.http.AdminCommands;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LeaderWait;
import dev.doyen.elector.http.PendingAdminCommands;
import dev.doyen.elector.wording.Wording;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.sidecar.CampaignDecision;
import dev.doyen.store.LeaseRecord;
import dev.doyen.text.ElectionNames;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries out admin commands that arrive over HTTP.
 *
 * <p>A command goes to this process's candidate if that leads, else to the leader through the lease record.
 *
 * <p>Threads: those of {@link PendingAdminCommands}.
 */
final class SidecarAdminCommands implements AdminCommands {

    /** Reasons for which a running candidate cannot take over, regardless of the others. */
    private static final Set<Reason> INELIGIBLE =
            EnumSet.of(Reason.CANDIDATE_PAUSED, Reason.UNHEALTHY, Reason.WITHOUT_TASK);

    private final SidecarCandidate sidecarCandidate;
    private final LeaderWait waits;
    private final PendingAdminCommands orders = new PendingAdminCommands();

    SidecarAdminCommands(SidecarCandidate sidecarCandidate) {
        this.sidecarCandidate = sidecarCandidate;
        this.waits = new LeaderWait(
                () -> sidecarCandidate.known().view(),
                sidecarCandidate.settings().ttl());
    }

    @Override
    public CompletionStage<HttpReply> carryOut(AdminCommand command) {
        return orders.carryOut(() -> reply(command));
    }

    private CompletableFuture<HttpReply> reply(AdminCommand command) {
        if (sidecarCandidate.opened().isEmpty()) {
            return now(PendingAdminCommands.away("the store is not open yet; try again in a few seconds"));
        }
        return command.choose(new Carrying());
    }

    private static CompletableFuture<HttpReply> now(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private static CompletableFuture<HttpReply> done(String sentence) {
        return now(PendingAdminCommands.done(200, sentence));
    }

    /** Rejects any id but that of this process's candidate, because this program controls only that one. */
    private Optional<CompletableFuture<HttpReply>> refusal(String id) {
        var own = sidecarCandidate.settings().id();
        return id.equals(own)
                ? Optional.empty()
                : Optional.of(now(PendingAdminCommands.refused(
                        404, "this program's only candidate is \"" + own + "\"; ask the program of the other")));
    }

    private final class Carrying implements AdminCommand.Kinds<CompletableFuture<HttpReply>> {

        private final SidecarCandidate.Opened opened = sidecarCandidate.opened().orElseThrow();

        @Override
        public CompletableFuture<HttpReply> resign(AdminCommand.Resign command) {
            if (sidecarCandidate.appStopped()) {
                return done("the lease is being given back");
            }
            return ask(
                    () -> command.cooldown().map(opened.candidate()::resign).orElseGet(opened.candidate()::resign),
                    () -> sidecarCandidate.control().resign(command.reason()),
                    asked -> waits.resigned(asked, waits.of(command.waitFor())));
        }

        @Override
        public CompletableFuture<HttpReply> transfer(AdminCommand.Transfer command) {
            ElectionNames.check("candidate id", command.to());
            return waits.leadsAlready(command.to())
                    .or(() -> ownCannotLead(command.to()))
                    .map(SidecarAdminCommands::now)
                    .orElseGet(() -> ask(
                            () -> opened.candidate().transferTo(command.to()),
                            () -> sidecarCandidate.control().transferTo(command.to(), command.reason()),
                            asked -> waits.transferred(asked, command.to(), waits.of(command.waitFor()))));
        }

        /** The store knows only the leader, but this process also knows its own candidate. */
        private Optional<HttpReply> ownCannotLead(String to) {
            if (!to.equals(sidecarCandidate.settings().id())) {
                return Optional.empty();
            }
            var why = opened.candidate().explain();
            if (INELIGIBLE.contains(why.reason())) {
                return Optional.of(cannotTakeOver(to, why.sentence()));
            }
            // The candidate carries out a pause a little later than the request for it is answered.
            return sidecarCandidate.campaigns()
                    ? Optional.empty()
                    : Optional.of(cannotTakeOver(to, "this candidate is paused"));
        }

        private static HttpReply cannotTakeOver(String to, String why) {
            return PendingAdminCommands.refused(409, Wording.quoted(to) + " cannot take over: " + why);
        }

        /**
         * Asks this process's candidate if it leads, and else the leader through the record.
         *
         * @param after replies after that
         */
        private CompletableFuture<HttpReply> ask(
                Supplier<CompletableFuture<Void>> own,
                Supplier<Optional<Leader>> other,
                Function<Leader, CompletableFuture<HttpReply>> after) {
            var leadership = opened.candidate().leadership();
            if (leadership.isEmpty()) {
                return other.get().map(after).orElseGet(() -> now(PendingAdminCommands.nobodyLeads()));
            }
            var asked = new Leader(
                    sidecarCandidate.settings().id(), leadership.get().term());
            return PendingAdminCommands.inTime(own.get())
                    .thenCompose(inTime -> inTime
                            ? after.apply(asked)
                            : now(PendingAdminCommands.done(
                                    202,
                                    "this candidate steps down; the lease is not released yet, because its work has"
                                            + " not stopped or the store does not answer")));
        }

        @Override
        public CompletableFuture<HttpReply> pause(AdminCommand.Pause command) {
            sidecarCandidate.control().pause(command.reason());
            return now(PendingAdminCommands.done(202, "nobody may lead; a leader steps down when it sees that"));
        }

        @Override
        public CompletableFuture<HttpReply> resume(AdminCommand.Resume command) {
            return done(
                    sidecarCandidate.control().resume().isPresent()
                            ? "somebody may lead again"
                            : "the election was not paused");
        }

        @Override
        public CompletableFuture<HttpReply> readState(AdminCommand.ReadState command) {
            var state = opened.candidate()
                    .leadership()
                    .map(own -> own.state())
                    .orElseGet(() -> sidecarCandidate
                            .read()
                            .record()
                            .map(LeaseRecord::state)
                            .orElse(SavedState.EMPTY));
            return now(PendingAdminCommands.bytes(state));
        }

        @Override
        public CompletableFuture<HttpReply> saveState(AdminCommand.SaveState command) {
            var leadership = opened.candidate().leadership();
            if (leadership.isEmpty()) {
                return notLeading("this candidate does not lead, so it leaves nothing; ask the one that does");
            }
            try {
                leadership.get().save(command.state());
                return done("stored in term " + leadership.get().term());
            } catch (NotLeaderException e) {
                return notLeading(
                        "this candidate led no more before the state was stored; whether it is, is not known");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return now(PendingAdminCommands.away("this program is ending"));
            }
        }

        @Override
        public CompletableFuture<HttpReply> campaign(AdminCommand.Campaign command) {
            return refusal(command.id()).orElseGet(() -> {
                long until = System.nanoTime() + command.ttl().toNanos();
                sidecarCandidate.campaign(decision -> decision.campaignUntil(until));
                return done(
                        "this candidate campaigns for " + command.ttl().toMillis() + " ms, unless it is said again");
            });
        }

        @Override
        public CompletableFuture<HttpReply> withdraw(AdminCommand.Withdraw command) {
            return refusal(command.id()).orElseGet(() -> {
                sidecarCandidate.campaign(CampaignDecision::withdraw);
                return done("this candidate does not campaign");
            });
        }

        private CompletableFuture<HttpReply> notLeading(String sentence) {
            return now(PendingAdminCommands.refused(409, sentence));
        }
    }
}
