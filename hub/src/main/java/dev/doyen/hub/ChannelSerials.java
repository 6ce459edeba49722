package dev.doyen.hub;

import dev.doyen.hub.nodes.LogPosition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The serials of one channel: {@code <14-digit ms>-<3-digit n>@<series>}. Within a series they sort as text, strictly
 * upwards whatever the wall clock does; another series is another life of the channel.
 */
final class ChannelSerials {

    private static final int MAX_PER_MILLI = 999;

    private final String suffix;
    /** How far the log of all nodes was read, which counts; null if the channel counts for itself. */
    private final @Nullable Supplier<LogPosition> read;

    private long millis;
    private int inMilli;
    private String last;

    ChannelSerials(String series, long wallMillis) {
        this.read = null;
        this.suffix = "@" + series;
        this.millis = Math.max(0, wallMillis);
        this.last = format();
    }

    /** Of a log that all nodes read, which stands at this position. */
    ChannelSerials(String series, LogPosition position, Supplier<LogPosition> read) {
        this.read = read;
        this.suffix = "@" + series;
        this.last = at(position);
    }

    /** The serial of what is in no log: the next one, or, where others count too, the last. */
    String passing(Turn turn) {
        return read != null ? last : next(turn.wallMillis());
    }

    /** The serial of what is happening now. */
    String next(Turn turn) {
        LogPosition position = turn.position();
        return position == null ? next(turn.wallMillis()) : at(position);
    }

    private String at(LogPosition position) {
        last = format(position.millis(), position.number());
        return last;
    }

    /** Another node may have named any position of the log up to now, whatever it says of other channels. */
    private String newest() {
        LogPosition position = read == null ? null : read.get();
        return position == null ? last : format(position.millis(), position.number());
    }

    String next(long wallMillis) {
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

    /** The newest one given out. */
    String last() {
        return last;
    }

    /** The serial of one item of a frame: sorts after that of the item before it. */
    static String ofItem(String frameSerial, int index) {
        String n = Integer.toString(index);
        return frameSerial + ":" + "0".repeat(Math.max(0, 3 - n.length())) + n;
    }

    /** Whether this serial is of this life of the channel, from {@code floor} to the newest, both included. */
    boolean isWithin(String serial, String floor) {
        return serial.endsWith(suffix) && serial.compareTo(floor) >= 0 && serial.compareTo(newest()) <= 0;
    }

    // By hand: String.format costs more than all the rest of a publish.
    private String format() {
        return format(millis, inMilli);
    }

    private String format(long millis, long number) {
        var out = new StringBuilder(32);
        String ms = Long.toString(millis);
        out.append("0".repeat(Math.max(0, 14 - ms.length()))).append(ms).append('-');
        String n = Long.toString(number);
        return out.append("0".repeat(Math.max(0, 3 - n.length())))
                .append(n)
                .append(suffix)
                .toString();
    }
}
