package dev.doyen.hub;

/** The log of a hub by itself: what is appended happens. */
final class OwnLog implements Log {

    private final Changes changes;

    OwnLog(Changes changes) {
        this.changes = changes;
    }

    @Override
    public void append(Turn turn, Change change, Outcome outcome) {
        outcome.done(turn, changes.happen(turn, change));
    }
}
