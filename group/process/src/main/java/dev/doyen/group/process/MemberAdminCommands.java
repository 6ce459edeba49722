package dev.doyen.group.process;

import dev.doyen.election.NotLeaderException;
import dev.doyen.elector.AcceptedCommand;
import dev.doyen.elector.AdminCommand;
import dev.doyen.elector.http.AdminCommands;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LeaderWait;
import dev.doyen.elector.http.PendingAdminCommands;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingLeadership;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries out admin commands that arrive over HTTP at a ring process.
 *
 * <p>The commands apply only to the local candidate, because a ring has no shared record.
 *
 * <p>Threads: the threads of {@link PendingAdminCommands}.
 */
final class MemberAdminCommands implements AdminCommands {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final KnownElection known;
    private final LeaderWait waits;
    private final Supplier<SavedState> state;
    private final PendingAdminCommands orders = new PendingAdminCommands();

    /**
     * Creates the handler.
     *
     * @param state the function that returns the newest saved state that this process has received
     */
    MemberAdminCommands(KnownElection known, RingElectionSettings electionSettings, Supplier<SavedState> state) {
        this.known = known;
        this.state = state;
        // Usually the members replace a silent leader within two leader leases.
        this.waits = new LeaderWait(known::view, electionSettings.leaderLease().multipliedBy(2));
    }

    @Override
    public CompletionStage<HttpReply> carryOut(AcceptedCommand accepted) {
        return orders.carryOut(() -> known.candidate()
                .map(candidate -> accepted.command().choose(new Carrying(candidate)))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        PendingAdminCommands.away("this process has not joined yet; try again in a few seconds"))));
    }

    private final class Carrying implements AdminCommand.Kinds<CompletableFuture<HttpReply>> {

        private final RingCandidate candidate;

        Carrying(RingCandidate candidate) {
            this.candidate = candidate;
        }

        @Override
        public CompletableFuture<HttpReply> resign(AdminCommand.Resign command) {
            return stepDown(
                    () -> command.cooldown().map(candidate::resign).orElseGet(candidate::resign),
                    leader -> waits.resigned(leader, waits.of(command.waitFor())));
        }

        @Override
        public CompletableFuture<HttpReply> transfer(AdminCommand.Transfer command) {
            return waits.leadsAlready(command.to())
                    .map(CompletableFuture::completedFuture)
                    .orElseGet(() -> stepDown(
                            () -> candidate.transferTo(command.to()), leader -> afterTransfer(leader, command)));
        }

        /**
         * Replies after the transfer. If the named member is not in the leader's view, the leader continues to lead
         * (rule H3).
         */
        private CompletableFuture<HttpReply> afterTransfer(Leader leader, AdminCommand.Transfer command) {
            boolean goesOn = candidate
                    .leadership()
                    .filter(own -> own.counter() == leader.term())
                    .isPresent();
            return goesOn
                    ? CompletableFuture.completedFuture(PendingAdminCommands.refused(
                            NOT_FOUND,
                            ElectionText.quoted(command.to()) + " is not in the view of the leader "
                                    + ElectionText.text(leader) + ", so the leader continues to lead",
                            Optional.of(leader)))
                    : waits.transferred(leader, command.to(), waits.of(command.waitFor()));
        }

        private CompletableFuture<HttpReply> stepDown(
                Supplier<CompletableFuture<Void>> order, Function<Leader, CompletableFuture<HttpReply>> after) {
            Optional<RingLeadership> own = candidate.leadership();
            if (own.isEmpty()) {
                return CompletableFuture.completedFuture(notLeading());
            }
            var leader = new Leader(candidate.id(), own.get().counter());
            return PendingAdminCommands.inTime(order.get())
                    .thenCompose(inTime -> inTime
                            ? after.apply(leader)
                            : CompletableFuture.completedFuture(PendingAdminCommands.done(
                                    202, "this candidate steps down; its work has not stopped yet")));
        }

        private HttpReply notLeading() {
            return candidate
                    .leader()
                    .map(other -> PendingAdminCommands.refused(
                            CONFLICT,
                            "this process does not lead; send the command to \"" + other.id() + "\", which does"))
                    .orElseGet(PendingAdminCommands::nobodyLeads);
        }

        @Override
        public CompletableFuture<HttpReply> pause(AdminCommand.Pause command) {
            return notSo("cannot be paused as a whole, because it has no record that all members read");
        }

        @Override
        public CompletableFuture<HttpReply> resume(AdminCommand.Resume command) {
            return notSo("cannot be paused as a whole, so it is not paused");
        }

        /** Returns the newest saved state that this process has received. */
        @Override
        public CompletableFuture<HttpReply> readState(AdminCommand.ReadState command) {
            return CompletableFuture.completedFuture(PendingAdminCommands.bytes(state.get()));
        }

        @Override
        public CompletableFuture<HttpReply> saveState(AdminCommand.SaveState command) {
            return CompletableFuture.completedFuture(candidate
                    .leadership()
                    .map(own -> saved(own, command.state()))
                    .orElseGet(this::notLeading));
        }

        private HttpReply saved(RingLeadership own, SavedState state) {
            try {
                own.save(state);
                return PendingAdminCommands.done(200, "all members of the view have it, in term " + own.counter());
            } catch (NotLeaderException e) {
                return PendingAdminCommands.refused(
                        CONFLICT,
                        "this process stopped leading before all members had the state; it is unknown whether the next"
                                + " leader receives the state");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return PendingAdminCommands.away("this program is shutting down");
            }
        }

        @Override
        public CompletableFuture<HttpReply> campaign(AdminCommand.Campaign command) {
            return notSo("accepts no candidacy over HTTP; the process campaigns while it runs");
        }

        @Override
        public CompletableFuture<HttpReply> withdraw(AdminCommand.Withdraw command) {
            return notSo("accepts no candidacy over HTTP; the process campaigns while it runs");
        }

        private CompletableFuture<HttpReply> notSo(String what) {
            return CompletableFuture.completedFuture(
                    PendingAdminCommands.refused(CONFLICT, "an election on a ring " + what));
        }
    }
}
