package dev.doyen.channel.roll;

import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** One member in a simulated world: a shipped machine, a clock that runs fast or slow, and a connection to the hub. */
final class RollProcess {

    final Member me;
    final Set<ViewId> had = new HashSet<>();
    RollState state;
    /** What names its present entry; another after each connection that the hub forgot. */
    String key = "";
    /** Counts connections: what was on its way to an older one never arrives. */
    int connection;

    boolean isAway = true;
    boolean isGone;
    long pausedUntil;
    long lastArrival;
    long lastNumber;
    String lastCreator = "";
    long lastSaid;
    long connectedAt;
    long wakeGeneration;
    /** Since when it has, or from when on it will have, neither stood still nor been away, in the world's time. */
    long undisturbedSince;

    private final double rate;
    private final long origin;

    RollProcess(Member me, double rate, long origin) {
        this.me = me;
        this.rate = rate;
        this.origin = origin;
        this.state = RollState.begin(me, Duration.ofSeconds(1));
    }

    RollCall.Step take(long world, Consumer<RollCall> input) {
        RollCall.Step step = RollCall.step(state, origin + (long) (world * rate), input);
        state = step.next();
        return step;
    }

    /** The moment of the world at which its clock shows what it waits for. */
    long worldAt(OptionalLong nanos) {
        return nanos.isEmpty() ? Long.MAX_VALUE : (long) Math.ceil((nanos.getAsLong() - origin) / rate) + 1;
    }
}
