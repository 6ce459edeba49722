package dev.doyen.simulator.world;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a run tells a reader, line by line; nothing, and at no cost, unless somebody reads. */
public final class Trace {

    public static final Trace NONE = new Trace(null);

    private final @Nullable Consumer<String> reader;

    private Trace(@Nullable Consumer<String> reader) {
        this.reader = reader;
    }

    public static Trace to(Consumer<String> reader) {
        return new Trace(reader);
    }

    /** Ask before building a line. */
    public boolean isOn() {
        return reader != null;
    }

    void line(long time, String who, String what) {
        if (reader != null) {
            reader.accept(String.format("%11.6f  %-8s %s", time / 1e9, who, what));
        }
    }
}
