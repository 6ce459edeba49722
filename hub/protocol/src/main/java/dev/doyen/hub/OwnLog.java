package dev.doyen.hub;

/** The log of a single hub: a change takes effect at once. */
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
