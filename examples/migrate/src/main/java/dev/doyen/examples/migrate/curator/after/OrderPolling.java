package dev.doyen.examples.migrate.curator.after;

import dev.doyen.Election;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.LossCause;
import dev.doyen.examples.migrate.Poller;

/** Polls orders while it holds the lease. */
public final class OrderPolling implements ElectionListener<LeaseLeadership>, AutoCloseable {

    private final Poller poller;
    private final Election election;

    public OrderPolling(String store, String id, Poller poller) {
        this.poller = poller;
        election = Election.lease("orders").store(store).open();
        election.join(id).listen(this);
    }

    @Override
    public void elected(LeaseLeadership leadership) {
        poller.start(leadership.term());
    }

    @Override
    public void lost(LossCause cause) {
        poller.stop();
    }

    @Override
    public void close() {
        election.close();
    }
}
