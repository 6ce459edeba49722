package dev.doyen.testkit.guide;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.LossCause;
import java.time.Duration;

/** Polls for orders while it leads, and stops polling while a renewal is overdue. */
class OrderPoller implements ElectionListener<LeaseLeadership>, AutoCloseable {

    private final LeaseCandidate candidate;
    private boolean polling;

    OrderPoller(Election election) {
        candidate = election.join("poller");
        candidate.listen(this);
    }

    boolean isPolling() {
        return polling;
    }

    @Override
    public void elected(LeaseLeadership leadership) {
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
