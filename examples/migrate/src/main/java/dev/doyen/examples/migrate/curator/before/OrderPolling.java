package dev.doyen.examples.migrate.curator.before;

import dev.doyen.examples.migrate.Poller;
import java.io.IOException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;

/** Polls orders while it holds the latch. */
public final class OrderPolling implements LeaderLatchListener, AutoCloseable {

    private final Poller poller;
    private final LeaderLatch latch;

    public OrderPolling(CuratorFramework client, String id, Poller poller) throws Exception {
        this.poller = poller;
        latch = new LeaderLatch(client, "/latches/orders", id);
        latch.addListener(this);
        latch.start();
    }

    @Override
    public void isLeader() {
        poller.start();
    }

    @Override
    public void notLeader() {
        poller.stop();
    }

    @Override
    public void close() throws IOException {
        poller.stop();
        latch.close();
    }
}
