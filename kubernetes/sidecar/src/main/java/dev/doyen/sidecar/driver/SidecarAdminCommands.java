package dev.doyen.sidecar.driver;

import dev.doyen.Control;
import dev.doyen.election.NotLeaderException;
import dev.doyen.elector.AcceptedCommand;
import dev.doyen.elector.Admin;
import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.http.AdminCommands;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LeaderWait;
import dev.doyen.elector.http.PendingAdminCommands;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.sidecar.CampaignDecision;
import dev.doyen.store.LeaseNotes;
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
 * <p>If this process's candidate leads, it receives a resign or transfer command directly. Otherwise the leader
 * receives such a command through the lease record. Pause and resume commands always go through the lease record.
 *
 * <p>Threads: the threads of {@link PendingAdminCommands}.
 */
final class SidecarAdminCommands implements AdminCommands {

    /** The reasons for which a running candidate cannot take over, regardless of the other candidates. */
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
    public CompletionStage<HttpReply> carryOut(AcceptedCommand command) {
        return orders.carryOut(() -> reply(command));
    }

    private CompletableFuture<HttpReply> reply(AcceptedCommand accepted) {
        if (sidecarCandidate.opened().isEmpty()) {
            return now(PendingAdminCommands.away("the store is not open yet; try again in a few seconds"));
        }
        return accepted.command().choose(new Carrying(accepted.by()));
    }

    private static CompletableFuture<HttpReply> now(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private static CompletableFuture<HttpReply> done(String sentence) {
        return now(PendingAdminCommands.done(200, sentence));
    }

    /**
     * Rejects every id except the id of this process's candidate.
     *
     * <p>This program controls only its own candidate.
     */
    private Optional<CompletableFuture<HttpReply>> refusal(String id) {
        var own = sidecarCandidate.settings().id();
        return id.equals(own)
                ? Optional.empty()
                : Optional.of(now(PendingAdminCommands.refused(
                        404,
                        "this program's only candidate is \"" + own
                                + "\"; send the command to the program of the other candidate")));
    }

    private final class Carrying implements AdminCommand.Kinds<CompletableFuture<HttpReply>> {

        private final SidecarCandidate.Opened opened = sidecarCandidate.opened().orElseThrow();
        private final String author;
        private final Control control;

        Carrying(Admin by) {
            author = sidecarCandidate.author(by);
            control = opened.election().control(author);
        }

        @Override
        public CompletableFuture<HttpReply> resign(AdminCommand.Resign command) {
            if (sidecarCandidate.appStopped()) {
                return done("the lease is being released");
            }
            var request = new LeaseNotes.StepDownRequest("", author, command.reason());
            return send(
                    () -> command.cooldown()
                            .map(cooldown -> opened.candidate().stepDown(request, cooldown))
                            .orElseGet(() -> opened.candidate().stepDown(request)),
                    () -> control.resign(command.reason()),
                    outgoing -> waits.resigned(outgoing, waits.of(command.waitFor())));
        }

        @Override
        public CompletableFuture<HttpReply> transfer(AdminCommand.Transfer command) {
            ElectionNames.check("candidate id", command.to());
            var request = new LeaseNotes.StepDownRequest(command.to(), author, command.reason());
            return waits.leadsAlready(command.to())
                    .or(() -> ownCannotLead(command.to()))
                    .map(SidecarAdminCommands::now)
                    .orElseGet(() -> send(
                            () -> opened.candidate().stepDown(request),
                            () -> control.transferTo(command.to(), command.reason()),
                            outgoing -> waits.transferred(outgoing, command.to(), waits.of(command.waitFor()))));
        }

        /**
         * Returns a rejection if {@code to} is this process's candidate and cannot lead. The store contains no state of
         * a candidate that does not lead. But this process can read the state of its own candidate.
         */
        private Optional<HttpReply> ownCannotLead(String to) {
            if (!to.equals(sidecarCandidate.settings().id())) {
                return Optional.empty();
            }
            var why = opened.candidate().explain();
            if (INELIGIBLE.contains(why.reason())) {
                return Optional.of(cannotTakeOver(to, why.sentence()));
            }
            // The candidate withdraws shortly after the reply to a withdraw command. So its explanation possibly does
            // not contain the withdrawal yet.
            return sidecarCandidate.campaigns()
                    ? Optional.empty()
                    : Optional.of(cannotTakeOver(to, "this candidate is paused"));
        }

        private static HttpReply cannotTakeOver(String to, String why) {
            return PendingAdminCommands.refused(409, ElectionText.quoted(to) + " cannot take over: " + why);
        }

        /**
         * Sends the command to the leader.
         *
         * <p>If this process's candidate leads, it receives the command directly. Otherwise this method writes the
         * command into the lease record.
         *
         * @param after the function that returns the reply after the command was sent
         */
        private CompletableFuture<HttpReply> send(
                Supplier<CompletableFuture<Void>> own,
                Supplier<Optional<Leader>> other,
                Function<Leader, CompletableFuture<HttpReply>> after) {
            var leadership = opened.candidate().leadership();
            if (leadership.isEmpty()) {
                return other.get().map(after).orElseGet(() -> now(PendingAdminCommands.nobodyLeads()));
            }
            var outgoing = new Leader(
                    sidecarCandidate.settings().id(), leadership.get().term());
            return PendingAdminCommands.inTime(own.get())
                    .thenCompose(inTime -> inTime
                            ? after.apply(outgoing)
                            : now(PendingAdminCommands.done(
                                    202,
                                    "this candidate steps down; the lease is not released yet, because its work has"
                                            + " not stopped or the store does not answer")));
        }

        @Override
        public CompletableFuture<HttpReply> pause(AdminCommand.Pause command) {
            control.pause(command.reason());
            return now(PendingAdminCommands.done(
                    202, "paused: no candidate may lead; a leader steps down when it reads the pause"));
        }

        @Override
        public CompletableFuture<HttpReply> resume(AdminCommand.Resume command) {
            return done(control.resume().isPresent() ? "candidates may lead again" : "the election was not paused");
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
                return notLeading(
                        "this candidate does not lead, so it has no state to save; send the command to the leader");
            }
            try {
                leadership.get().save(command.state());
                return done("stored in term " + leadership.get().term());
            } catch (NotLeaderException e) {
                return notLeading(
                        "this candidate stopped leading before the state was stored; the store may have written it");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return now(PendingAdminCommands.away("this program is shutting down"));
            }
        }

        @Override
        public CompletableFuture<HttpReply> campaign(AdminCommand.Campaign command) {
            return refusal(command.id()).orElseGet(() -> {
                long until = System.nanoTime() + command.ttl().toNanos();
                sidecarCandidate.campaign(decision -> decision.campaignUntil(until));
                return done("this candidate campaigns for " + command.ttl().toMillis()
                        + " ms, unless the command is repeated");
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
