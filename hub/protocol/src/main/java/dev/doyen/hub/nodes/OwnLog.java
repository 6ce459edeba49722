package dev.doyen.hub.nodes;

import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.step.StepContext;

/** The log of a single hub, in which a change takes effect at once. */
public final class OwnLog implements Log {

    private final Changes changes;

    public OwnLog(Changes changes) {
        this.changes = changes;
    }

    @Override
    public void append(StepContext step, Change change, Outcome outcome) {
        outcome.done(step, changes.happen(step, change));
    }
}
