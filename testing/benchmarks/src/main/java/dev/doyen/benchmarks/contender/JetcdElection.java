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
 * jetcd's election API. All elections of a process campaign under one lease with keep-alive.
 *
 * <p>jetcd does not track whether the caller leads. So each candidate here keeps a flag, which the end of the
 * keep-alive clears.
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
                // Nothing to do: the lease is still alive.
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
        private final CompletableFuture<Void> told;

        CampaignParticipant(CompletableFuture<CampaignResponse> campaign, Runnable onElected) {
            told = campaign.thenAccept(won -> {
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
                told.cancel(true);
            } else {
                client.getElectionClient().resign(held).join();
            }
        }
    }
}
