package dev.doyen.stores.quorum;

import dev.doyen.stores.quorum.MemberStep.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Executes changes of members, one step for each request. Only the leader of the log executes a step. Another member
 * rejects the request and names the leader. {@link MemberChangePlan} decides the step.
 *
 * <p>Threads: any. The class stores nothing between two requests.
 */
final class MemberChanges {

    private final Reachability reachability;
    private final UrgentRequests questions;

    MemberChanges(Reachability reachability, UrgentRequests questions) {
        this.reachability = reachability;
        this.questions = questions;
    }

    /** Executes the next step for a process that requests to join. */
    CompletableFuture<Requests.Answered> join(QuorumMember leader, byte[] body) {
        JoinRequest request = JoinRequest.read(body);
        return step(leader, plan -> plan.join(request.joining()), request.wasMember());
    }

    /** Executes the next step for a command. */
    CompletableFuture<Requests.Answered> command(QuorumMember leader, byte[] body) {
        MemberCommand command = MemberCommand.read(body);
        if (!leader.leader().isSelf()) {
            return notLeader(leader);
        }
        if (command.kind() == MemberCommand.Kind.REMOVE) {
            return step(leader, plan -> plan.remove(command.address()), false);
        }
        Optional<QuorumEndpoint> known =
                leader.members().list().at(command.address()).stream().findFirst();
        return known.isPresent()
                ? step(leader, plan -> next(plan, command, known.get()), false)
                : introduced(leader, command);
    }

    private static MemberStep next(MemberChangePlan plan, MemberCommand command, QuorumEndpoint process) {
        return switch (command.kind()) {
            case ADD -> plan.add(process);
            case ADD_LEARNER -> plan.addLearner(process);
            case REPLACE -> plan.replace(command.old(), process);
            case REMOVE -> plan.remove(process.address());
        };
    }

    /**
     * Asks the process for its introduction, and then executes the next step. The introduction contains the id of the
     * process's directory. The log identifies a member by its address and this id.
     */
    private CompletableFuture<Requests.Answered> introduced(QuorumMember leader, MemberCommand command) {
        return questions
                .send(command.address(), Frames.Request.INTRODUCE, new byte[0])
                .handle((answered, failure) -> answered != null && answered.answer() == Frames.Answer.DONE
                        ? Optional.of(Introduction.read(answered.body()))
                        : Optional.<Introduction>empty())
                .thenCompose(introduction -> introduction.isEmpty()
                        ? answer(MemberStep.of(Kind.WAIT, "no process answers at " + command.address() + " yet"))
                        : objection(introduction.get(), leader.group(), command.address())
                                .map(MemberChanges::answer)
                                .orElseGet(() -> unlessRemoved(leader, command, introduction.get())));
    }

    /**
     * Rejects a process if an entry of the log removes it. If the process became a member again, it would read this
     * entry and stop. The process itself has possibly lost the information that it was a member, so the leader searches
     * its own log.
     */
    private CompletableFuture<Requests.Answered> unlessRemoved(
            QuorumMember leader, MemberCommand command, Introduction process) {
        return leader.members()
                .hasRemovalOf(process.self())
                .thenCompose(hasRemoval -> hasRemoval
                        ? answer(wasMember(command.address()))
                        : step(leader, plan -> next(plan, command, process.self()), false));
    }

    private static MemberStep wasMember(String address) {
        return MemberStep.of(
                Kind.REFUSED, "the process at " + address + " was a member before; start it with a new directory");
    }

    private static Optional<MemberStep> objection(Introduction process, String group, String address) {
        if (!process.self().address().equals(address)) {
            return Optional.of(MemberStep.of(
                    Kind.REFUSED,
                    "the process at " + address + " has the address "
                            + process.self().address() + "; use that address"));
        }
        if (process.isNew()) {
            return Optional.of(
                    MemberStep.of(Kind.WAIT, "the process at " + address + " has not found this quorum yet"));
        }
        if (!process.group().equals(group)) {
            return Optional.of(MemberStep.of(
                    Kind.REFUSED,
                    "the process at " + address
                            + " belongs to another quorum; start it with a new directory, and with the addresses of"
                            + " this quorum"));
        }
        return process.wasMember() ? Optional.of(wasMember(address)) : Optional.empty();
    }

    /**
     * @param isConfirmed true if this member must not answer {@link Kind#ABSENT} before a majority has confirmed that
     *     this member still leads
     */
    private CompletableFuture<Requests.Answered> step(
            QuorumMember leader, Function<MemberChangePlan, MemberStep> decide, boolean isConfirmed) {
        return leader.members()
                .plan(reachability::isReachable)
                .thenCompose(plan -> {
                    if (plan.isEmpty()) {
                        return notLeader(leader);
                    }
                    MemberStep next = decide.apply(plan.get());
                    if (next.kind() == Kind.ABSENT && isConfirmed) {
                        return leader.log()
                                .append(LeaseCopy.NO_WRITES)
                                .thenCompose(confirmed -> confirmed.answer() == Frames.Answer.DONE
                                        ? step(leader, decide, false)
                                        : notLeader(leader));
                    }
                    return carriedOut(leader, next).handle((done, failure) -> Requests.Answered.done(next.bytes()));
                })
                .exceptionally(failure -> answerOfFollower(leader));
    }

    /**
     * Executes a step. The caller ignores the result of the step: if the step fails, the next request decides the step
     * again.
     */
    private static CompletableFuture<?> carriedOut(QuorumMember leader, MemberStep next) {
        if (next.change().isPresent()) {
            return leader.members().change(next.change().get());
        }
        return next.nextLeader().isPresent()
                ? leader.members().transferTo(next.nextLeader().get())
                : CompletableFuture.completedFuture(null);
    }

    private static CompletableFuture<Requests.Answered> answer(MemberStep step) {
        return CompletableFuture.completedFuture(Requests.Answered.done(step.bytes()));
    }

    private static CompletableFuture<Requests.Answered> notLeader(QuorumMember member) {
        return CompletableFuture.completedFuture(answerOfFollower(member));
    }

    /**
     * Returns an answer that names the leader. The requesting process possibly does not have the leader's address,
     * because the leader became a member later.
     */
    private static Requests.Answered answerOfFollower(QuorumMember member) {
        return Requests.Answered.notLeader(member.leader().current().map(QuorumEndpoint::address));
    }
}
