package dev.doyen.group.driver;

import dev.doyen.driver.EventLog;
import dev.doyen.driver.InputQueue;
import dev.doyen.driver.LoopListener;
import dev.doyen.driver.LoopTimer;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.group.driver.MembershipContest.Blame;
import dev.doyen.group.driver.MembershipContest.Effect;
import dev.doyen.group.driver.MembershipContest.ExplanationContext;
import dev.doyen.group.driver.MembershipContest.Jeopardy;
import dev.doyen.group.driver.MembershipContest.Lead;
import dev.doyen.group.driver.MembershipContest.LeaderChanged;
import dev.doyen.group.driver.MembershipContest.Notice;
import dev.doyen.group.driver.MembershipContest.Outcome;
import dev.doyen.group.driver.MembershipContest.Recovered;
import dev.doyen.group.driver.MembershipContest.Saved;
import dev.doyen.group.driver.MembershipContest.Send;
import dev.doyen.group.driver.MembershipContest.Snapshot;
import dev.doyen.group.driver.MembershipContest.StepDown;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives a machine that elects over a membership, such as the ring machine.
 *
 * <p>The loop reads the clocks once per input, and carries out the effects of the machine. The loop begins as an
 * observer. The loop forwards messages until the membership ends, even if this process has no candidate.
 *
 * <p>Threads: any thread may call any method except {@link #isQuiet}, and every method returns at once. The loop thread
 * of {@link Threads} processes the inputs one at a time, in order. Callers may call {@link #leading} often, because it
 * takes no lock.
 *
 * <p>This class is longer than most classes. It contains all code that ends a term, and all code that waits until the
 * work of that term has stopped.
 */
public final class MembershipLoop {

    /** Failed inputs, except messages, are repeated after the leader lease divided by this number. */
    private static final int LEASES_WITHOUT_CHECK = 20;

    /**
     * The maximum number of members whose faults are logged. The loop logs one fault for each of these members, and
     * only counts the faults of other members.
     */
    private static final int MAX_BLAMED = 100;

    private final Threads threads;
    private final String election;
    private final Membership membership;
    private final LoopListener listener;
    private final MembershipContest contest;
    private final EventLog log;
    private final ArrivalLimit arriving = new ArrivalLimit();
    private final Set<Member> blamed = new HashSet<>();
    private final MembershipTally tally = new MembershipTally();
    private final Outgoing outgoing;
    private final InputQueue inputs = new InputQueue();

    private final LoopTimer timer;

    /** The time of the next attempt with the inputs that have failed, in nanoseconds. */
    private long retryAtNanos;

    /** The term whose work has not stopped yet; 0 for none. The next term begins after this work has stopped. */
    private long stopping;

    /**
     * The cause that ended a past term whose work did not stop within the leader lease. While the value is present, the
     * machine must not campaign.
     */
    private Optional<LossCause> excluded = Optional.empty();

    private Threads.@Nullable Timer patience;

    private boolean ended;

    /**
     * The term whose beginning was reported and whose end was not reported yet. The value is 0 if there is no such
     * term.
     */
    private volatile long reportedTerm;

    /** The snapshot after the last step. Only the loop thread writes this field. */
    private volatile Snapshot snapshot;

    private volatile Optional<LossCause> withdrawnBecause = Optional.of(LossCause.CLOSED);
    private volatile boolean doubted;

    /** Creates a loop that begins as an observer. {@link #start} starts the loop. */
    public MembershipLoop(
            Threads threads, String election, Membership membership, MembershipContest contest, LoopListener listener) {
        this.threads = threads;
        this.timer = new LoopTimer(threads, this::woken);
        this.election = election;
        this.membership = membership;
        this.listener = listener;
        this.contest = contest;
        this.log = new EventLog(threads);
        this.outgoing = new Outgoing(threads, election, membership, contest.topic(election), log, tally);
        this.snapshot = contest.snapshot();
    }

    /**
     * Begins to take part in the election.
     *
     * @throws IllegalStateException if this membership already takes part in the election, or took part earlier
     */
    public void start() {
        threads.loop(this::applyEligibility);
        membership.listen(contest.topic(election), new Events());
    }

    /**
     * Returns the term in which this member leads now; empty if it does not lead.
     *
     * <p>The method reads the state first and then the clocks. So the method returns no term whose leader lease expired
     * while this thread was suspended between the two reads.
     */
    public Optional<Long> leading() {
        return snapshot.leading().filter(term -> !remaining(term).isZero());
    }

    /**
     * Returns how long this member leads in this term without another confirmation. The result is zero if this member
     * does not lead.
     */
    public Duration remaining(long term) {
        Snapshot known = snapshot;
        boolean leads = term == reportedTerm
                && known.leading().filter(each -> each == term).isPresent();
        return leads ? known.remainingAt(threads.now()) : Duration.ZERO;
    }

    /**
     * Returns the saved state of this term. The result is empty if this member did not lead in this term after the last
     * step.
     */
    public Optional<SavedState> state(long term) {
        Snapshot known = snapshot;
        return known.leading().filter(each -> each == term).map(each -> known.state());
    }

    /** Returns the counters of messages that this loop could not send, decode or process. */
    public MembershipTally tally() {
        return tally;
    }

    /** Returns the leader; empty if this process knows no leader. */
    public Optional<Leader> leader() {
        return snapshot.leader();
    }

    /** Explains why this member leads, or does not lead. */
    public Explanation explain() {
        return snapshot.explain(
                new ExplanationContext(threads.now(), leading().isPresent(), withdrawnBecause, doubted));
    }

    /** Lets the machine campaign. */
    public void campaign() {
        threads.loop(() -> {
            withdrawnBecause = Optional.empty();
            if (excluded.isEmpty()) {
                applyEligibility();
            }
        });
    }

    /**
     * Withdraws for this cause until {@link #campaign} is called. The call is complete when the loop has processed it
     * and is {@linkplain #isQuiet quiet}.
     */
    public void withdraw(LossCause cause) {
        threads.loop(() -> {
            withdrawnBecause = Optional.of(cause);
            applyEligibility();
        });
    }

    /**
     * Makes the machine campaign if the candidate campaigns and {@link #excluded} is empty. Otherwise makes the machine
     * withdraw.
     */
    private void applyEligibility() {
        takeInput(() -> {
            Optional<LossCause> against = withdrawnBecause.or(() -> excluded);
            return against.isPresent()
                    ? step("withdrawing", at -> contest.withdraw(at, against.get()))
                    : step("campaigning", contest::campaign);
        });
    }

    /**
     * Steps down if this member leads, and does not campaign for {@code cooldown}. The call is complete when the loop
     * has processed it and is {@linkplain #isQuiet quiet}.
     */
    public void resign(Duration cooldown) {
        take("a resignation", at -> contest.resign(at, cooldown));
    }

    /** Resigns as {@link #resign} does, if this member leads in this term. */
    public void resignTerm(long term, Duration cooldown) {
        threads.loop(() ->
                takeInput(() -> reportedTerm != term || step("a resignation", at -> contest.resign(at, cooldown))));
    }

    /**
     * Hands over to the member of this id, if this member leads. The call is complete under the same condition as
     * {@link #resign}.
     */
    public void handOver(String successor, Duration cooldown) {
        take("a handover", at -> contest.handOver(at, successor, cooldown));
    }

    /**
     * Saves a state for the next leader, if this member leads in this term.
     *
     * <p>The loop notifies the listener after all members of the view have stored the state.
     *
     * @param save the number of the save, which starts at 1 and rises
     */
    public void save(long term, long save, SavedState state) {
        take("a save", at -> contest.save(at, term, save, state));
    }

    /**
     * Returns true if no input waits for another attempt, and no work of a past term is running. Called on the loop
     * thread.
     */
    public boolean isQuiet() {
        return stopping == 0 && inputs.isEmpty();
    }

    /**
     * Processes the report that all work of this term has stopped. The caller must call this method once after each
     * {@code Lost}.
     *
     * <p>When the loop is {@linkplain #isQuiet quiet}, it calls {@code settled} of the listener.
     */
    public void workStopped(long term) {
        threads.loop(() -> {
            if (stopping == term) {
                stopping = 0;
                survives("forwarding messages", outgoing::passOn);
                survives("campaigning again", this::campaignAgain);
                reportIfQuiet();
            }
        });
    }

    /** Queues an input. If the machine fails to process the input, the loop tries the input again. */
    private void take(String what, Function<Moment, Outcome> input) {
        threads.loop(() -> takeInput(() -> step(what, input)));
    }

    /** Passes an input to the machine, after all waiting inputs. */
    private void takeInput(BooleanSupplier input) {
        boolean waited = !inputs.isEmpty();
        reportAttempt(waited, inputs.take(input));
    }

    /**
     * Reports the result of an attempt to the listener.
     *
     * @param waited true if inputs waited before the attempt
     * @param dropped true if an input was dropped
     */
    private void reportAttempt(boolean waited, boolean dropped) {
        if (dropped) {
            survives("a listener", listener::dropped);
        }
        if (waited) {
            reportIfQuiet();
        }
    }

    private void reportIfQuiet() {
        if (isQuiet()) {
            survives("a listener", listener::settled);
        }
    }

    /**
     * Takes a step on the loop thread. Returns false if the machine has failed to process the input.
     *
     * <p>If the step fails, the method sets a timer for the next attempt.
     */
    private boolean step(String what, Function<Moment, Outcome> input) {
        if (ended) {
            return true;
        }
        Moment at;
        Duration couldLead;
        Outcome outcome;
        try {
            at = threads.now();
            couldLead = snapshot.remainingAt(at);
            outcome = input.apply(at);
        } catch (Throwable e) {
            log.fault(election, what + " failed", e);
            survives("a timer", this::retryLater);
            return false;
        }
        // The snapshot is published before the listeners are called. So a listener reads the new state.
        survives("the snapshot", () -> snapshot = contest.snapshot());
        survives("a timer", () -> timer.set(wakeAtNanos(outcome)));
        for (Effect effect : outcome.effects()) {
            survives("an effect", () -> carry(effect, at, couldLead));
        }
        return true;
    }

    private void retryLater() {
        retryAtNanos = threads.now().nanos() + contest.leaderLease().toNanos() / LEASES_WITHOUT_CHECK;
        timer.set(retryAtNanos);
    }

    /** Returns the time at which the machine must be woken, or the time of the next attempt if inputs wait. */
    private long wakeAtNanos(Outcome outcome) {
        long atNanos = outcome.wakeAtNanos();
        boolean retriesFirst = atNanos == Long.MAX_VALUE || atNanos - retryAtNanos > 0;
        return retriesFirst && !inputs.isEmpty() ? retryAtNanos : atNanos;
    }

    /** Runs a part of a step. An exception neither ends the loop nor prevents the next effect (rule L8). */
    private boolean survives(String what, Runnable part) {
        return log.survives(election, what, part);
    }

    private void carry(Effect effect, Moment at, Duration couldLead) {
        if (effect instanceof Send send) {
            outgoing.send(send);
        } else if (effect instanceof Lead lead) {
            elected(lead.term());
        } else if (effect instanceof StepDown down) {
            steppedDown(down, at, couldLead);
        } else if (effect instanceof Jeopardy jeopardy) {
            doubted(jeopardy);
        } else if (effect instanceof Recovered recovered) {
            recovered(recovered);
        } else if (effect instanceof LeaderChanged changed) {
            report(Level.INFO, new ElectionEvent.LeaderChanged(changed.leader()));
        } else if (effect instanceof Saved saved) {
            listener.saved(saved.save());
        } else if (effect instanceof Notice notice) {
            log.log(Level.WARNING, election, notice.sentence());
        } else if (effect instanceof Blame blame) {
            blame(blame.from(), blame.sentence());
        }
    }

    private void elected(long term) {
        if (stopping == 0) {
            doubted = false;
            reportedTerm = term;
            boolean delivered =
                    survives("a listener", () -> report(Level.INFO, new ElectionEvent.Elected(term, snapshot.state())));
            if (!delivered) {
                // The listener has failed, so the work does not run. Therefore the candidate resigns.
                resignTerm(term, contest.leaderLease());
            }
        }
    }

    private void doubted(Jeopardy jeopardy) {
        if (reportedTerm == jeopardy.term()) {
            doubted = true;
            report(Level.WARNING, new ElectionEvent.Jeopardy(jeopardy.term(), jeopardy.remaining(), jeopardy.reason()));
        }
    }

    private void recovered(Recovered recovered) {
        if (reportedTerm == recovered.term()) {
            doubted = false;
            report(Level.INFO, new ElectionEvent.Recovered(recovered.term()));
        }
    }

    private void steppedDown(StepDown down, Moment at, Duration couldLead) {
        long term = down.term();
        if (reportedTerm != term) {
            // The beginning of this term was never reported, because the work of an earlier term had not stopped.
            return;
        }
        reportedTerm = 0;
        stopping = term;
        if (!couldLead.isZero()) {
            survives("a timer", () -> outgoing.holdUntil(at.nanos() + couldLead.toNanos()));
        }
        survives(
                "a timer",
                () -> patience =
                        threads.at(at.nanos() + contest.leaderLease().toNanos(), () -> exclude(term, down.cause())));
        report(Level.INFO, new ElectionEvent.Lost(term, down.cause()));
    }

    /** Withdraws if the work of this term has not stopped yet. A member that cannot lead must not campaign. */
    private void exclude(long term, LossCause cause) {
        if (stopping == term) {
            excluded = Optional.of(cause);
            applyEligibility();
        }
    }

    /**
     * Continues after the work has stopped. If the loop had excluded this member from the election, the member
     * campaigns again, unless it has withdrawn. Otherwise, if this member won a later term before the work stopped, and
     * still leads in that term, the loop begins the term.
     */
    private void campaignAgain() {
        if (patience != null) {
            patience.cancel();
            patience = null;
        }
        boolean wasExcluded = excluded.isPresent();
        excluded = Optional.empty();
        if (wasExcluded && withdrawnBecause.isEmpty()) {
            applyEligibility();
        } else if (!snapshot.remainingAt(threads.now()).isZero()) {
            snapshot.leading().ifPresent(this::elected);
        }
    }

    private void report(Level level, ElectionEvent event) {
        log.log(level, election, event);
        listener.onEvent(event);
    }

    private void woken() {
        boolean waited = !inputs.isEmpty();
        reportAttempt(waited, inputs.takeWaiting());
        step("a timer", contest::woken);
    }

    private void blame(Member from, String sentence) {
        if (blamed.size() < MAX_BLAMED && blamed.add(from)) {
            log.log(Level.WARNING, election, from + " " + sentence);
        }
    }

    /** Passes views and messages of the membership to the loop thread. */
    private final class Events implements MembershipListener {
        @Override
        public void installed(View next) {
            threads.loop(() -> {
                survives("a line about a view", () -> logView(next));
                takeInput(() -> step("a view", at -> contest.installed(at, next)));
            });
        }

        private void logView(View next) {
            log.log(
                    Level.INFO,
                    election,
                    "view " + next.id().number() + " has "
                            + next.members().stream().map(Member::id).sorted().toList());
        }

        @Override
        public void received(Member from, byte[] message) {
            if (!arriving.admits(message.length)) {
                tally.untaken();
                return;
            }
            boolean accepted = threads.loop(() -> {
                arriving.taken(message.length);
                survives("a message", () -> decode(from, message));
            });
            if (!accepted) {
                arriving.taken(message.length);
            }
        }

        private void decode(Member from, byte[] message) {
            try {
                step("a message", contest.received(from, message));
            } catch (UnreadableMessageException e) {
                tally.unread();
                blame(from, "sent " + e.getMessage());
            }
        }

        @Override
        public void ended() {
            threads.loop(() -> {
                withdrawnBecause = Optional.of(LossCause.CLOSED);
                step("leaving the membership", contest::left);
                ended = true;
                timer.cancel();
                survives("forwarding messages", outgoing::passOn);
                survives("a listener", listener::ended);
            });
        }
    }
}
