package dev.doyen.stores.kubernetes;

import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.TcpProxy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A candidate that uses fabric8's LeaderElector, which implements client-go's protocol in Java. */
final class Fabric8Peer implements AutoCloseable {

    private final KubernetesClient client;
    private final TcpProxy network;
    private final String lease;
    private final String id;
    private CompletableFuture<?> running = CompletableFuture.completedFuture(null);
    private volatile boolean leading;
    private volatile String leader = "";

    Fabric8Peer(KubernetesServer server, String lease, String id) throws Exception {
        this.lease = lease;
        this.id = id;
        network = new TcpProxy(server.api().port());
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + network.port())
                .withCaCertFile(server.caFile().toString())
                .withOauthToken(server.adminToken())
                .withRequestTimeout(300)
                .withRequestRetryBackoffLimit(0)
                .build();
        HttpClient.Factory http = new JdkHttpClientFactory();
        client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(http)
                .build();
    }

    /** Campaigns until {@link #cancel}, with a lease duration of 2 s. */
    void campaign() {
        running = client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(lease)
                        .withLock(new LeaseLock("default", lease, id))
                        .withLeaseDuration(Duration.ofSeconds(2))
                        .withRenewDeadline(Duration.ofMillis(1200))
                        .withRetryPeriod(Duration.ofMillis(200))
                        .withReleaseOnCancel()
                        .withLeaderCallbacks(new LeaderCallbacks(
                                () -> leading = true, () -> leading = false, next -> leader = next == null ? "" : next))
                        .build())
                .build()
                .start();
    }

    boolean isLeading() {
        return leading;
    }

    /** Returns the leader that this candidate observes. */
    String leader() {
        return leader;
    }

    /** Releases the lease and stops. */
    void cancel() {
        running.cancel(true);
    }

    TcpProxy network() {
        return network;
    }

    @Override
    public void close() throws Exception {
        cancel();
        client.close();
        network.close();
    }
}
