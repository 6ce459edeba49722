package dev.doyen.benchmarks.contender;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.election.CampaignResponse;
import io.etcd.jetcd.election.LeaderKey;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The election API of jetcd. All candidates of a process campaign under one lease, which jetcd keeps alive.
 *
 * <p>The library jetcd does not track whether the caller leads. So this class has a flag, which it clears when the
 * keep-alive ends. After that, no candidate of the process leads.
 */
final class JetcdElection implements Contender {

    private final Client client;
    private final long lease;
    private final CloseableClient keepingAlive;
    private volatile boolean alive = true;

    JetcdElection(String url, Duration ttl) {
        client = Client.builder()
                .endpoints("http://" + url.substring(url.indexOf("//") + 2))
                .build();
        lease = client.getLeaseClient().grant(ttl.toSeconds()).join().getID();
        keepingAlive = client.getLeaseClient().keepAlive(lease, new StreamObserver<>() {
            @Override
            public void onNext(LeaseKeepAliveResponse response) {
                // No action is necessary, because the lease is still valid.
            }

            @Override
            public void onError(Throwable fault) {
                alive = false;
            }

            @Override
            public void onCompleted() {
                alive = false;
            }
        });
    }

    @Override
    public Participant join(String election, String id, Runnable onElected) {
        CompletableFuture<CampaignResponse> campaign =
                client.getElectionClient().campaign(bytes("jetcd/" + election), lease, bytes(id));
        return new CampaignParticipant(campaign, onElected);
    }

    @Override
    public void close() {
        keepingAlive.close();
        client.close();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private final class CampaignParticipant implements Participant {
        private volatile @Nullable LeaderKey key;
        private final CompletableFuture<Void> notified;

        CampaignParticipant(CompletableFuture<CampaignResponse> campaign, Runnable onElected) {
            notified = campaign.thenAccept(won -> {
                key = won.getLeader();
                onElected.run();
            });
        }

        @Override
        public boolean isLeader() {
            return key != null && alive;
        }

        @Override
        public void close() {
            LeaderKey held = key;
            key = null;
            if (held == null) {
                notified.cancel(true);
            } else {
                client.getElectionClient().resign(held).join();
            }
        }
    }
}
