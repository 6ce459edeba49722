package dev.doyen.roster;

import org.jspecify.annotations.Nullable;

/**
 * Another member of the view, as far as it was heard in this view.
 *
 * @param entry its latest; null before any
 * @param number the greatest of its numbers that came
 * @param heard the greatest own number that it has heard
 */
record Peer(@Nullable Entry entry, long number, long heard) {

    static final Peer SILENT = new Peer(null, 0, 0);

    /** What it says, unless that is older than what it said before. */
    Peer saying(RosterMessage message) {
        long hears = Math.max(heard, message.heard());
        return entry == null || message.number() > number
                ? new Peer(message.entry(), message.number(), hears)
                : new Peer(entry, number, hears);
    }
}
