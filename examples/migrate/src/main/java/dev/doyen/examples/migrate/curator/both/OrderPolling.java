package dev.doyen.examples.migrate.curator.both;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.event.LossCause;
import dev.doyen.examples.migrate.Poller;
import java.io.IOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.jspecify.annotations.Nullable;

/** Polls orders while this instance holds the latch and the lease. It campaigns only while it holds the latch. */
public final class OrderPolling implements LeaderLatchListener, ElectionListener<LeaseLeadership>, AutoCloseable {

    private final String id;
    private final Poller poller;
    private final Election election;
    private final LeaderLatch latch;
    private @Nullable LeaseCandidate candidate;
    private boolean closing;

    public OrderPolling(CuratorFramework client, String store, String id, Poller poller) throws Exception {
        this.id = id;
        this.poller = poller;
        election = Election.lease("orders").store(store).open();
        latch = new LeaderLatch(client, "/latches/orders", id);
        latch.addListener(this);
        latch.start();
    }

    @Override
    public synchronized void isLeader() {
        if (!closing) {
            candidate = election.join(id);
            candidate.listen(this);
        }
    }

    @Override
    public synchronized void notLeader() {
        if (candidate != null) {
            candidate.close(); // returns when the poller has stopped
        }
    }

    @Override
    public void elected(LeaseLeadership leadership) {
        poller.start(leadership.term());
    }

    @Override
    public void lost(LossCause cause) {
        poller.stop();
    }

    /** Releases the lease first, and then the latch. So polling has stopped when the latch is free. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            closing = true;
        }
        election.close();
        latch.close();
    }
}
