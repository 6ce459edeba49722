package dev.doyen.hub;

/** The log of a single hub: a change takes effect at once. */
final class OwnLog implements Log {

    private final Changes changes;

    OwnLog(Changes changes) {
        this.changes = changes;
    }

    @Override
    public void append(StepContext step, Change change, Outcome outcome) {
        outcome.done(step, changes.happen(step, change));
    }
}
