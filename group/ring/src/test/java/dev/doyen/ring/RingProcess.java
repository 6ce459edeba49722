package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;

/** A member in a {@link RingWorld}. It consists of a machine, and of clocks that can run fast or slow and can stop. */
final class RingProcess {

    final Member me;
    RingState state;
    boolean crashed;
    long pausedUntil = -1;
    long wakeGeneration;
    Term lastNamed = Term.NONE;
    Term lastLed = Term.NONE;
    boolean leads;

    /** The number of saves that the world has requested from this member. */
    long saves;

    /** The saved state that this member had stored before the last step. */
    VersionedState lastSaved = VersionedState.NONE;

    /** True if the last input was a view. */
    boolean isInNewView;

    /** The saved state in the last input, if this input was the answer to a request. */
    VersionedState answered = VersionedState.NONE;

    private final RingMachine machine;
    private final double rate;
    private final long origin;
    private long suspended;

    RingProcess(Member me, RingSettings settings, double rate, long origin) {
        this.me = me;
        this.machine = new RingMachine(settings);
        this.rate = rate;
        this.origin = origin;
        this.state = machine.begin(me);
    }

    /** Returns what this member's clocks show when the simulated time is {@code world} nanoseconds. */
    Moment at(long world) {
        return new Moment(origin + (long) ((world - suspended) * rate), (long) (world * rate) / 1_000_000);
    }

    /** Returns the simulated time at which this member's monotonic clock shows {@code nanos}. */
    long worldAt(long nanos) {
        return (long) Math.ceil((nanos - origin) / rate) + suspended + 1;
    }

    /** Suspends the process: the monotonic clock stops and the wall clock continues. */
    void suspendUntil(long now, long until) {
        pausedUntil = until;
        suspended += until - now;
    }

    boolean leadsAt(long world) {
        return !crashed && !state.remainingAt(at(world)).isZero();
    }

    RingStep take(RingInput input) {
        isInNewView = input instanceof RingInput.Installed;
        answered = input instanceof RingInput.Received received
                        && received.message() instanceof RingMessage.StateResponse response
                ? response.saved()
                : VersionedState.NONE;
        RingStep step = machine.step(state, input);
        state = step.next();
        return step;
    }
}
