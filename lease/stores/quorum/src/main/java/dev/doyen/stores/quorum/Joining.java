package dev.doyen.stores.quorum;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends join requests until this process is a member of its quorum. If a member at the same address lost its directory,
 * the process replaces that member. The process repeats the request until the replacement is complete. A member also
 * sends the request if it has had no leader for a while, because it has possibly been removed. The other members send
 * no messages to a removed member, so only the answer to a request can report the removal.
 *
 * <p>If a process was never in a confirmed member list and replaces no member, it waits until an operator adds it. It
 * waits even if it has log entries. The entries can come from a leader that added the process but lost its leadership
 * before the addition was confirmed. A process stops if it was a member and was removed.
 *
 * <p>Threads: the thread of {@link RaftTime}. Fields that other threads read are volatile.
 */
final class Joining {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    /** The interval of the repeated requests, and of the checks for a leader. */
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final QuorumEndpoint self;
    private final List<String> addresses;
    private final RaftJournal journal;
    private final QuorumMember member;
    private final MemberChanges changes;
    private final UrgentRequests questions;
    private final RaftTime time;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private long leaderKnown;
    private int turn;

    /**
     * The address of the leader, from the most recent answer that named a leader. The member list of this process
     * possibly does not contain this leader yet.
     */
    private Optional<String> namedLeader = Optional.empty();

    /**
     * The reason why this process is not a member yet, as a sentence for users. The reason is null if the process does
     * not wait.
     */
    private volatile @Nullable String waiting;

    /**
     * The time when this process last had a leader, or an answer from a leader. The unit is nanoseconds of
     * {@link RaftTime#nanos}.
     */
    private long leaderLastSeen;

    /**
     * True if this process is not a member and no leader answers it. The value becomes true after {@link #SILENCE}
     * without an answer.
     */
    private volatile boolean silent;

    /**
     * @param addresses the addresses in the configured list; the process also sends requests to the members in
     *     the log, and to the leader that another member has named
     * @param changes the object that executes the change if this process leads
     */
    Joining(
            MemberEnvironment environment,
            List<String> addresses,
            QuorumMember member,
            MemberChanges changes,
            UrgentRequests questions) {
        this.self = environment.self();
        this.addresses = addresses;
        this.journal = environment.journal();
        this.member = member;
        this.changes = changes;
        this.questions = questions;
        this.time = environment.time();
        this.leaderKnown = time.nanos();
        this.leaderLastSeen = leaderKnown;
    }

    /** Returns a future that completes when this process is a voter. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    void start() {
        look();
    }

    /**
     * Returns why this process is not a member yet, as a sentence for users. The result is null if the process does not
     * wait.
     */
    @Nullable
    String waiting() {
        // The sentence does not contain the length of the silence, because programs print the sentence whenever it
        // changes.
        return silent
                ? "this process waits to become a member, but no leader of the quorum has answered it for more than "
                        + SILENCE.toSeconds() + " s; a majority of the members must run and be reachable from here"
                : waiting;
    }

    private boolean isSilentSince(long nanos) {
        return time.nanos() - nanos > SILENCE.toNanos();
    }

    private void look() {
        if (member.stopped().isDone()) {
            return;
        }
        try {
            lookNow();
        } finally {
            time.after(RETRY_INTERVAL, this::look);
        }
    }

    private void lookNow() {
        if (member.leader().current().isPresent()) {
            leaderKnown = time.nanos();
            leaderLastSeen = leaderKnown;
        }
        MemberList members = member.members().list();
        silent = !members.contains(self) && isSilentSince(leaderLastSeen);
        if (members.contains(self) && !journal.wasMember(self)) {
            becomeMember();
        }
        if (members.isVoter(self)) {
            waiting = null;
            joined.complete(null);
        }
        if (!isSettled(members) || isSilentSince(leaderKnown)) {
            sendRequest();
        }
    }

    private void becomeMember() {
        try {
            journal.becameMember();
        } catch (IOException e) {
            // The journal has logged the reason, and this member stops.
            LOG.log(Level.DEBUG, "the journal does not contain this process as a member", e);
        }
    }

    /** Returns true if this process is a member and no longer replaces another member. */
    private boolean isSettled(MemberList members) {
        return members.contains(self)
                && members.at(self.address()).size() == 1
                && (members.isVoter(self) || !members.isReservedFor(self));
    }

    private void sendRequest() {
        byte[] request = new JoinRequest(self, journal.wasMember(self)).bytes();
        if (member.leader().isSelf()) {
            Futures.ignore(changes.join(member, request).thenAccept(this::answered));
            return;
        }
        Set<String> targets = new LinkedHashSet<>(addresses);
        member.members().others().forEach(each -> targets.add(each.address()));
        namedLeader.ifPresent(targets::add);
        targets.remove(self.address());
        if (targets.isEmpty()) {
            return;
        }
        String address = new ArrayList<>(targets).get(turn++ % targets.size());
        Futures.ignore(questions.send(address, Frames.Request.JOIN, request).thenAccept(this::answered));
    }

    private void answered(Requests.Answered answered) {
        namedLeader = answered.leader().or(() -> namedLeader);
        if (answered.answer() == Frames.Answer.DONE) {
            leaderLastSeen = time.nanos();
            follow(MemberStep.read(answered.body()));
        }
    }

    private void follow(MemberStep step) {
        switch (step.kind()) {
            case DONE, LEARNER -> {
                if (member.hasReadItsRemoval()) {
                    removed();
                } else {
                    waiting = null;
                }
            }
            case ABSENT -> {
                if (journal.wasMember(self)) {
                    removed();
                } else {
                    waitFor(step.text() + ". Add this process with: doyen quorum add " + self.address()
                            + " --store quorum://" + String.join(",", addresses));
                }
            }
            case REFUSED -> waitFor(step.text());
            case WAIT, CHANGE, TRANSFER -> {
                // The change is not complete, so the process repeats its request.
            }
        }
    }

    private void removed() {
        String reason = self.address() + " was removed from the quorum. To add it again, start it"
                + " with a new directory, and run: doyen quorum add " + self.address();
        LOG.log(Level.WARNING, reason);
        member.stop(reason);
    }

    private void waitFor(String what) {
        if (!what.equals(waiting)) {
            LOG.log(Level.INFO, "this process waits to become a member: " + what);
            waiting = what;
        }
    }
}
