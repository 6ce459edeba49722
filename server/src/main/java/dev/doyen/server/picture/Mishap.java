package dev.doyen.server.picture;

import java.util.Locale;

/** What goes wrong in a recording. */
public enum Mishap {
    /** Nothing: the counts are those of theory. */
    NONE,
    /** The first message after the chosen time that carries the greatest number is lost; with Peterson, any number. */
    LOST,
    /** The chosen member crashes at the chosen time. */
    CRASH,
    /** The leader crashes soon after all know it. */
    KILLED,
    /** The leader is cut off soon after all know it; later the network heals. */
    CUT,
    /** The ring falls into halves soon after all know the leader; later the network heals. */
    SPLIT;

    /** As it is asked for. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
