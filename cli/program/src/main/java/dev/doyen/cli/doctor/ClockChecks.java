package dev.doyen.cli.doctor;

import dev.doyen.election.LeaseTiming;
import dev.doyen.elector.text.Spans;
import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Evaluates readings of this machine's wall clock and monotonic clock, taken at regular intervals. */
public final class ClockChecks {

    private static final int NANOS_PER_MILLI = 1_000_000;

    /**
     * The smallest difference between the clocks' elapsed times that counts as a jump. The error of the readings is
     * smaller.
     */
    private static final long JUMP_MILLIS = 50;

    /**
     * The maximum error of a reading, in milliseconds.
     *
     * <p>The resolution of the wall clock adds 1 ms. A pause between the readings of the two clocks adds up to 2 ms.
     */
    private static final int READING_ERROR_MILLIS = 3;

    /**
     * The rate difference above which the check warns. Time services change the rate by at most 0.05 %. A difference
     * of 10 % breaks the assumptions of the lease.
     */
    private static final double NOTABLE_RATE = 0.01;

    private static final double UNSAFE_RATE = 0.1;

    private ClockChecks() {}

    /**
     * Checks whether the two clocks agree, and whether this process was suspended.
     *
     * @param readings the readings of the clocks, at least two
     * @param every the intended interval between two readings
     * @param timing the durations of a lease, which set the limits of the checks
     */
    public static List<Check> of(List<Moment> readings, Duration every, LeaseTiming timing) {
        long jump = 0;
        long pause = 0;
        for (int at = 1; at < readings.size(); at++) {
            var before = readings.get(at - 1);
            var next = readings.get(at);
            long elapsed = next.nanosSince(before);
            long apart = next.wallMillisSince(before) - elapsed / NANOS_PER_MILLI;
            if (Math.abs(apart) >= JUMP_MILLIS && Math.abs(apart) > Math.abs(jump)) {
                jump = apart;
            }
            pause = Math.max(pause, elapsed - every.toNanos());
        }
        var first = readings.get(0);
        var last = readings.get(readings.size() - 1);
        long elapsed = last.nanosSince(first);
        double apart = last.wallMillisSince(first) - (double) elapsed / NANOS_PER_MILLI;
        return List.of(clocks(elapsed, apart, jump, timing), pauses(Duration.ofNanos(Math.max(0, pause)), timing));
    }

    private static Check clocks(long elapsedNanos, double apartMillis, long jumpMillis, LeaseTiming timing) {
        var measured = Map.of("apartMicros", Math.round(apartMillis * 1000), "jumpMillis", jumpMillis);
        var over = "over " + Spans.text(Duration.ofNanos(elapsedNanos));
        if (jumpMillis != 0) {
            return Check.warn(
                            "clocks",
                            over + " the wall clock jumped " + (jumpMillis > 0 ? "ahead" : "back") + " by "
                                    + Spans.text(Duration.ofMillis(Math.abs(jumpMillis))),
                            "let the time service slew the clock; a leader whose clock jumps ahead by "
                                    + Spans.text(timing.deadline())
                                    + " stops leading, because the machine may have slept")
                    .measuring(measured);
        }
        double rate = Math.max(0, Math.abs(apartMillis) - READING_ERROR_MILLIS) * NANOS_PER_MILLI / elapsedNanos;
        var text = over + " the wall and the monotonic clock ran " + String.format(Locale.ROOT, "%.2f", rate * 100)
                + " % apart";
        if (rate >= UNSAFE_RATE) {
            return Check.fail("clocks", text, "no leadership is safe on this machine: repair its clocks")
                    .measuring(measured);
        }
        return (rate >= NOTABLE_RATE
                        ? Check.warn("clocks", text, "check the time service; 10 % break the rules of the lease")
                        : Check.ok("clocks", text + ", without a jump"))
                .measuring(measured);
    }

    private static Check pauses(Duration longest, LeaseTiming timing) {
        var measured = Map.of("longestMillis", longest.toMillis());
        return (longest.compareTo(timing.requestTimeout()) >= 0
                        ? Check.warn(
                                "pauses",
                                "this process was suspended for " + Spans.text(longest) + " while the clocks were read",
                                "give it more CPU, or use a longer ttl than " + Spans.text(timing.ttl()))
                        : Check.ok("pauses", "this process was never suspended for longer than " + Spans.text(longest)))
                .measuring(measured);
    }
}
