package dev.doyen.benchmarks.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's LeaderLatch. All elections of a process share one client, whose session timeout is the ttl. */
final class CuratorLatch implements Contender {

    private final CuratorFramework client;

    CuratorLatch(String url, Duration ttl) {
        String servers = url.substring(url.indexOf("//") + 2);
        int millis = (int) ttl.toMillis();
        client = CuratorFrameworkFactory.newClient(servers, millis, millis, new ExponentialBackoffRetry(100, 5));
        client.start();
    }

    /**
     * Waits for a server, but not longer than this time. If no server answers in this time, the latches campaign as
     * soon as a server answers.
     */
    void awaitConnection(Duration longest) {
        try {
            boolean unused = client.blockUntilConnected((int) longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Participant join(String election, String id, Runnable onElected) {
        var latch = new LeaderLatch(client, "/curator/" + election, id);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                onElected.run();
            }

            @Override
            public void notLeader() {}
        });
        try {
            latch.start();
        } catch (Exception e) {
            // The catch clause is broad, because Curator's method declares Exception.
            throw new IllegalStateException("the latch of \"" + election + "\" could not be started", e);
        }
        return new LatchParticipant(latch);
    }

    @Override
    public void close() {
        client.close();
    }

    private record LatchParticipant(LeaderLatch latch) implements Participant {
        @Override
        public boolean isLeader() {
            return latch.hasLeadership();
        }

        @Override
        public void close() {
            if (latch.getState() != LeaderLatch.State.STARTED) {
                return;
            }
            try {
                latch.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
