package dev.doyen.roster;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ranking.RankingSettings;

/** One member in a simulated world: a shipped machine, and clocks that run fast or slow and may stop. */
final class RosterProcess {

    final Member me;
    RosterState state;
    boolean crashed;
    boolean closed;
    long pausedUntil = -1;
    long wakeGeneration;
    long lastLed;
    /** The number of the view in which it came: it was in none before. */
    long joined;
    /** When it installed the view that it has, in the world's time. */
    long installedAt;
    /** Whether it leads, was not proven for long, and has said so. */
    boolean doubts;

    final int priority;

    private final RosterMachine machine;
    private final double rate;
    private final long origin;
    private long suspended;

    RosterProcess(Member me, RankingSettings settings, double rate, long origin) {
        this.me = me;
        this.priority = settings.priority();
        this.machine = new RosterMachine(settings);
        this.rate = rate;
        this.origin = origin;
        this.state = machine.begin(me, at(0));
    }

    /** Its clocks at a moment of the world, which is in nanoseconds. */
    Moment at(long world) {
        return new Moment(origin + (long) ((world - suspended) * rate), world / 1_000_000);
    }

    /** The moment of the world at which its monotonic clock shows {@code nanos}. */
    long worldAt(long nanos) {
        return (long) Math.ceil((nanos - origin) / rate) + suspended + 1;
    }

    /** The monotonic clock stands still meanwhile; the wall clock does not. */
    void suspendUntil(long now, long until) {
        pausedUntil = until;
        suspended += until - now;
    }

    boolean leadsAt(long world) {
        return !crashed && state.leadsAt(at(world));
    }

    boolean isIn(View view) {
        return !crashed && state.view().filter(view::equals).isPresent();
    }

    RosterStep take(RosterInput input) {
        RosterStep step = machine.step(state, input);
        state = step.next();
        return step;
    }
}
