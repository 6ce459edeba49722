package dev.doyen.simulator.world;

import dev.doyen.event.Moment;

/**
 * The two clocks of one host.
 *
 * <p>The origins of the clocks are arbitrary, and each clock has its own rate. The clocks are linear in true time
 * between two changes. On a suspended host the monotonic clock stops. The wall clock continues. Faults can also
 * set the wall clock to another time.
 */
public final class SimClock {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NEVER_NANOS = 1_000_000_000_000_000L;

    private final Agenda agenda;
    private final double rate;
    private final double wallRate;

    private long since;
    private long nanosThen;
    private long wallThen;
    private boolean suspended;

    /**
     * Creates the clocks.
     *
     * @param rate the rate of the monotonic clock, in local nanoseconds per true nanosecond
     * @param nanosOrigin the monotonic clock at true time 0; any number, including numbers near an overflow
     * @param wallOriginMillis the wall clock at true time 0
     */
    public SimClock(Agenda agenda, double rate, double wallRate, long nanosOrigin, long wallOriginMillis) {
        this.agenda = agenda;
        this.rate = rate;
        this.wallRate = wallRate;
        this.nanosThen = nanosOrigin;
        this.wallThen = wallOriginMillis * NANOS_PER_MILLI;
    }

    public Moment now() {
        return at(agenda.now());
    }

    /** Returns the clocks at a true time that is not before their last change. */
    public Moment at(long time) {
        return new Moment(nanosAt(time), Math.floorDiv(wallAt(time), NANOS_PER_MILLI));
    }

    /**
     * Returns the first true time from now on at which the monotonic clock shows {@code nanos}.
     *
     * <p>The result is correct unless the host is suspended before that time. The method returns {@link Long#MAX_VALUE} if
     * that time is beyond the end of any run, or if the host is suspended. The nanoseconds can overflow, so only
     * differences count.
     */
    public long timeOf(long nanos) {
        long delay = nanos - nanosAt(agenda.now());
        if (suspended || delay > NEVER_NANOS) {
            return Long.MAX_VALUE;
        }
        long time = agenda.now() + (long) Math.floor(Math.max(0, delay) / rate);
        while (nanosAt(time) - nanos < 0) {
            time++;
        }
        return time;
    }

    void suspend() {
        rebase();
        suspended = true;
    }

    void resume() {
        rebase();
        suspended = false;
    }

    void jumpWall(long millis) {
        rebase();
        wallThen += millis * NANOS_PER_MILLI;
    }

    private void rebase() {
        long now = agenda.now();
        nanosThen = nanosAt(now);
        wallThen = wallAt(now);
        since = now;
    }

    private long nanosAt(long time) {
        return suspended ? nanosThen : nanosThen + (long) ((time - since) * rate);
    }

    private long wallAt(long time) {
        return wallThen + (long) ((time - since) * wallRate);
    }
}
