package dev.doyen.hub.history;

import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.step.StepContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Generates the serials of one channel, which have the form {@code <14-digit ms>-<n>@<series>}.
 *
 * <p>The number n has at least three digits. A letter precedes a longer number, so that numbers sort as text. The
 * letter is {@code a} for four digits, {@code b} for five digits, and so on. Redis returns numbers with more than three
 * digits while its clock is behind the newest entry of its log.
 *
 * <p>Within a series, serials sort as text and strictly rise, even if the wall clock is set back. On a single hub, a
 * channel that is removed and created again has another series. On several nodes, all channels have the series of the
 * shared log.
 */
public final class ChannelSerials {

    private static final int MAX_PER_MILLI = 999;
    private static final int DIGITS = 3;

    private final String suffix;
    /**
     * Supplies the position up to which this node has read the log. The supplier is null if the channel counts its own
     * serials.
     */
    private final @Nullable Supplier<LogPosition> read;

    private long millis;
    private int inMilli;
    private String last;

    public ChannelSerials(String series, long wallMillis) {
        this.read = null;
        this.suffix = "@" + series;
        this.millis = Math.max(0, wallMillis);
        this.last = format();
    }

    /** Creates serials from positions in the log that all nodes read. */
    public ChannelSerials(String series, LogPosition position, Supplier<LogPosition> read) {
        this.read = read;
        this.suffix = "@" + series;
        this.last = at(position);
    }

    /**
     * Returns a serial for a frame that is in no log. On a single hub the serial is new. On one of several nodes it is
     * the last serial of the channel.
     */
    public String passing(StepContext step) {
        return read != null ? last : next(step.wallMillis());
    }

    /** Returns the serial of the current log entry. A single hub has no log entries and counts its own serials. */
    public String next(StepContext step) {
        LogPosition position = step.position();
        return position == null ? next(step.wallMillis()) : at(position);
    }

    private String at(LogPosition position) {
        last = format(position.millis(), position.number());
        return last;
    }

    /**
     * Returns the greatest valid serial. On one of several nodes, that is the serial of the last log entry that this
     * node has read. A client can have received this serial from another node.
     */
    private String newest() {
        LogPosition position = read == null ? null : read.get();
        return position == null ? last : format(position.millis(), position.number());
    }

    public String next(long wallMillis) {
        if (wallMillis > millis) {
            millis = wallMillis;
            inMilli = 0;
        } else if (inMilli == MAX_PER_MILLI) {
            millis++;
            inMilli = 0;
        } else {
            inMilli++;
        }
        last = format();
        return last;
    }

    /** Returns the last serial of this channel. */
    public String last() {
        return last;
    }

    /** Returns the serial of one item in a frame. The serials of the items sort by index. */
    public static String ofItem(String frameSerial, int index) {
        String n = Integer.toString(index);
        return frameSerial + ":" + "0".repeat(Math.max(0, 3 - n.length())) + n;
    }

    /**
     * Returns an id for an event that the hub makes. The id differs from every connection id, and is unique because the
     * serial is unique.
     */
    public static String hubMadeId(String serial) {
        return "synth-" + serial.replace('@', '-');
    }

    /** Returns true if the serial is in this series, from {@code floor} to the newest serial. */
    public boolean isWithin(String serial, String floor) {
        return serial.endsWith(suffix) && serial.compareTo(floor) >= 0 && serial.compareTo(newest()) <= 0;
    }

    // The code formats the number itself, because String.format takes longer than all other steps of a publish.
    private String format() {
        return format(millis, inMilli);
    }

    private String format(long millis, long number) {
        var out = new StringBuilder(32);
        String ms = Long.toString(millis);
        out.append("0".repeat(Math.max(0, 14 - ms.length()))).append(ms).append('-');
        String n = Long.toString(number);
        if (n.length() > DIGITS) {
            out.append((char) ('a' + n.length() - DIGITS - 1));
        }
        return out.append("0".repeat(Math.max(0, DIGITS - n.length())))
                .append(n)
                .append(suffix)
                .toString();
    }
}
