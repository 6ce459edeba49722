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
 * A process asks the leader whether it is a member, and so becomes one in the place of a member that lost its directory. It
 * asks until it votes, and again whenever it knows no leader for a while: a removed member hears nothing more from the others.
 *
 * <p>A process that never found itself in a confirmed list waits to be added, also if it has entries. They come from a leader
 * that lost its place before the addition was confirmed. A process that was a member and was removed ends.
 *
 * <p>Threads: that of {@link RaftTime}. The fields for others are volatile.
 */
final class Joining {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    /** Also how often this process looks whether it knows a leader. */
    private static final Duration ASK_AGAIN = Duration.ofMillis(200);

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

    /** The leader that another member named last. It may be in none of the lists that this process has. */
    private Optional<String> namedLeader = Optional.empty();

    /** The reason why this process is no member yet, in a sentence for users; null if it waits for nothing. */
    private volatile @Nullable String waiting;

    /** When this process last knew a leader, or got an answer from one, in nanoseconds of {@link RaftTime#nanos}. */
    private long leaderHeard;

    /** Whether this process is no member, and no leader has answered it for longer than {@link #SILENCE}. */
    private volatile boolean silent;

    /**
     * @param addresses of the list; the members in the log are asked too, and the leader that one of them names
     * @param changes for the case that this process leads
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
        this.leaderHeard = leaderKnown;
    }

    /** Completes when this process votes. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    void start() {
        look();
    }

    /** Returns why this process is no member yet, in a sentence for users; null if it waits for nothing. */
    @Nullable
    String waiting() {
        // Without the time of the silence, because programs print each new sentence.
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
        if (member.leader().current().isPresent()) {
            leaderKnown = time.nanos();
            leaderHeard = leaderKnown;
        }
        MemberList members = member.members().list();
        silent = !members.contains(self) && isSilentSince(leaderHeard);
        if (members.contains(self) && !journal.wasMember(self)) {
            becomeMember();
        }
        if (members.isVoter(self)) {
            waiting = null;
            joined.complete(null);
        }
        if (!isSettled(members) || isSilentSince(leaderKnown)) {
            ask();
        }
        time.after(ASK_AGAIN, this::look);
    }

    private void becomeMember() {
        try {
            journal.becameMember();
        } catch (IOException e) {
            // The journal has logged the reason, and this member stops.
            LOG.log(Level.DEBUG, "the journal does not have that this process is a member", e);
        }
    }

    /** Whether nothing is left to do: this process is a member, and takes nobody's place any more. */
    private boolean isSettled(MemberList members) {
        return members.contains(self)
                && members.at(self.address()).size() == 1
                && (members.isVoter(self) || !members.isReservedFor(self));
    }

    private void ask() {
        byte[] request = new JoinRequest(self, journal.wasMember(self)).bytes();
        if (member.leader().isSelf()) {
            Futures.ignore(changes.join(member, request).thenAccept(this::answered));
            return;
        }
        Set<String> asked = new LinkedHashSet<>(addresses);
        member.members().others().forEach(each -> asked.add(each.address()));
        namedLeader.ifPresent(asked::add);
        asked.remove(self.address());
        if (asked.isEmpty()) {
            return;
        }
        String address = new ArrayList<>(asked).get(turn++ % asked.size());
        Futures.ignore(questions.ask(address, Frames.Request.JOIN, request).thenAccept(this::answered));
    }

    private void answered(Requests.Answered answered) {
        namedLeader = answered.leader().or(() -> namedLeader);
        if (answered.answer() == Frames.Answer.DONE) {
            leaderHeard = time.nanos();
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
                // There is another step.
            }
        }
    }

    private void removed() {
        String reason =
                self.address() + " was removed from the quorum, and takes part no more. To bring it back, start it"
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
