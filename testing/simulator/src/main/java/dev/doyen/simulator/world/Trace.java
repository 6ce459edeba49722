package dev.doyen.simulator.world;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Prints the events of a run line by line. If the trace has no reader, it does nothing. */
public final class Trace {

    public static final Trace NONE = new Trace(null);

    private final @Nullable Consumer<String> reader;

    private Trace(@Nullable Consumer<String> reader) {
        this.reader = reader;
    }

    public static Trace to(Consumer<String> reader) {
        return new Trace(reader);
    }

    /** Returns true if lines are printed. Call this method before you build a line, to avoid unnecessary work. */
    public boolean isOn() {
        return reader != null;
    }

    /** Prints one line. The line begins with the true time and the name of the acting process. */
    public void line(long time, String who, String what) {
        if (reader != null) {
            reader.accept(String.format("%11.6f  %-8s %s", time / 1e9, who, what));
        }
    }
}
