package dev.doyen.testkit.guide;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.ElectionListener;
import dev.doyen.Leadership;
import dev.doyen.event.LossCause;
import java.time.Duration;

/** Polls for orders while it leads, and stops polling while a renewal is overdue. */
class OrderPoller implements ElectionListener, AutoCloseable {

    private final Candidate candidate;
    private boolean polling;

    OrderPoller(Election election) {
        candidate = election.join("poller");
        candidate.listen(this);
    }

    boolean isPolling() {
        return polling;
    }

    @Override
    public void elected(Leadership leadership) {
        polling = true;
    }

    @Override
    public void jeopardy(Duration remaining, String reason) {
        polling = false;
    }

    @Override
    public void recovered() {
        polling = true;
    }

    @Override
    public void lost(LossCause cause) {
        polling = false;
    }

    @Override
    public void close() {
        candidate.close();
    }
}
