package dev.doyen.simulator.world;

import dev.doyen.event.Moment;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.lease.StoreFault;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.VersionedLease;
import java.util.function.Function;

/**
 * The network between processes and store.
 *
 * <p>Without faults, each message takes up to {@link #CALM_SECONDS}. The fields set the rates of faults: delays of
 * seconds, losses, duplicates, stale reads and unknown outcomes.
 */
public final class Network {

    /** The longest one-way delay without faults, in seconds. */
    public static final double CALM_SECONDS = 0.05;
    /** The longest one-way delay with faults, in seconds. */
    public static final double WORST_SECONDS = 9;

    /**
     * The share of messages that take up to 1.5 s. {@code verySlow} is the share of messages that take up to
     * {@link #WORST_SECONDS}.
     */
    public double slow;

    public double verySlow;
    public double lostRequests;
    public double lostReplies;
    /** The share of writes that reach the store twice. */
    public double duplicates;
    /** The share of writes whose answer the network replaces by "unknown". */
    public double ambiguous;
    /** The share of failures that are reported at once. The other failed requests get no answer. */
    public double refusals;
    /** The share of reported failures that the store reports as a missing right. */
    public double missingRights;
    /** The share of reads that return a random recent version. */
    public double stale;

    public double lostNotices;

    private final World world;
    private final Agenda agenda;
    private final SeededRandom random;

    Network(World world, Agenda agenda, SeededRandom random) {
        this.world = world;
        this.agenda = agenda;
        this.random = random;
    }

    /** Ends all faults of the network. Messages in flight keep their delays. */
    public void calm() {
        slow = 0;
        verySlow = 0;
        lostRequests = 0;
        lostReplies = 0;
        duplicates = 0;
        ambiguous = 0;
        missingRights = 0;
        stale = 0;
        lostNotices = 0;
    }

    void read(SimCandidate candidate, LeaseEffect.Read read) {
        if (isLostOnTheWayOut(candidate)) {
            readFailed(candidate, read);
            return;
        }
        agenda.after(delay(), () -> {
            if (world.store().isDown()) {
                readFailed(candidate, read);
                return;
            }
            VersionedLease found = random.chance(stale)
                    ? world.store().readStale(candidate.election(), random)
                    : world.store().read(candidate.election());
            if (random.chance(lostReplies)) {
                readFailed(candidate, read);
            } else {
                reply(candidate, at -> new LeaseInput.ReadAnswered(at, read.request(), found));
            }
        });
    }

    void write(SimCandidate candidate, LeaseEffect.Write write) {
        if (isLostOnTheWayOut(candidate)) {
            unknown(candidate, write);
            return;
        }
        long sentAt = agenda.now();
        for (int copies = random.chance(duplicates) ? 2 : 1; copies > 0; copies--) {
            agenda.after(delay(), () -> arrived(candidate, write, sentAt));
        }
    }

    /** Announces a change of the record to a candidate. */
    void notice(SimCandidate candidate) {
        if (!candidate.process().isCutOff() && !random.chance(lostNotices)) {
            agenda.after(delay(), candidate::notice);
        }
    }

    private void arrived(SimCandidate candidate, LeaseEffect.Write write, long sentAt) {
        if (world.store().isDown()) {
            unknown(candidate, write);
            return;
        }
        CasOutcome outcome = world.compareAndSet(candidate, write, sentAt);
        if (random.chance(lostReplies)) {
            unknown(candidate, write);
        } else if (random.chance(ambiguous)) {
            boolean isRefused = random.chance(missingRights);
            reply(candidate, answer(write, new CasOutcome.Unknown("the connection was reset", isRefused)));
        } else {
            reply(candidate, answer(write, outcome));
        }
    }

    private boolean isLostOnTheWayOut(SimCandidate candidate) {
        return candidate.process().isCutOff() || random.chance(lostRequests);
    }

    private void readFailed(SimCandidate candidate, LeaseEffect.Read read) {
        if (random.chance(refusals)) {
            boolean isRefused = random.chance(missingRights);
            fail(
                    candidate,
                    at -> new LeaseInput.ReadFailed(at, read.request(), new StoreFault(isRefused, "the call failed")));
        }
    }

    private void unknown(SimCandidate candidate, LeaseEffect.Write write) {
        if (random.chance(refusals)) {
            boolean isRefused = random.chance(missingRights);
            fail(candidate, answer(write, new CasOutcome.Unknown("the call failed", isRefused)));
        }
    }

    private static Function<Moment, LeaseInput> answer(LeaseEffect.Write write, CasOutcome outcome) {
        return at -> new LeaseInput.Answered(at, write.request(), outcome);
    }

    /** Reports a failure that the client library itself detects. A partition does not prevent this report. */
    private void fail(SimCandidate candidate, Function<Moment, LeaseInput> input) {
        agenda.after(random.seconds(0.001, CALM_SECONDS), () -> candidate.submit(input));
    }

    private void reply(SimCandidate candidate, Function<Moment, LeaseInput> input) {
        agenda.after(delay(), () -> {
            if (!candidate.process().isCutOff()) {
                candidate.submit(input);
            }
        });
    }

    private long delay() {
        double kind = random.unit();
        if (kind < verySlow) {
            return random.seconds(1.5, WORST_SECONDS);
        }
        return kind < verySlow + slow ? random.seconds(CALM_SECONDS, 1.5) : random.seconds(0.001, CALM_SECONDS);
    }
}
