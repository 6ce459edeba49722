package dev.doyen.stores.zookeeper;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.probe.RightsProbe;
import dev.doyen.store.support.LeaseFileNames;
import dev.doyen.store.support.PipelinedLeaseStore;
import dev.doyen.stores.zookeeper.Nodes.Node;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;

/**
 * Stores leases in ZooKeeper, one persistent node per election.
 *
 * <p>{@link ConditionalSet} implements the compare-and-set. The connected server answers a read without the other
 * servers, and it can lag behind them. A stale read is safe, because the ensemble's leader checks each compare-and-set
 * against the newest version.
 *
 * <p>Threads: any number, over one session. The store sends no request twice (see {@link Nodes}), and every call ends
 * within the timeout.
 */
public final class ZooKeeperLeaseStore extends PipelinedLeaseStore {

    private static final int AT_ONCE = 128;

    /**
     * The limit for the first connection, and the limit for setting the watch, when the store is opened. The limit is
     * longer than the default timeout of a call, because a first connection takes longer.
     */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(10);

    private final ZooKeeperSettings settings;
    private final CuratorFramework client;
    private final Nodes nodes;
    private final ConditionalSet conditionalSet;
    private final ZooKeeperWatch watch;
    private final LeaseStore.Promises promises;
    private final RightsProbe rights = new RightsProbe(this);

    private ZooKeeperLeaseStore(
            ZooKeeperSettings settings, CuratorFramework client, ZooKeeperWatch watch, boolean watches) {
        super("ZooKeeper at " + settings.url().place(), settings.timeout(), AT_ONCE);
        this.settings = settings;
        this.client = client;
        this.nodes = new Nodes(client);
        this.conditionalSet = new ConditionalSet(nodes, settings.access());
        this.watch = watch;
        this.promises = promises(watches);
    }

    /** Opens the store, and creates the parent node of the leases if it is missing. */
    static ZooKeeperLeaseStore open(ZooKeeperSettings settings) {
        CuratorFramework client = settings.client();
        var watch = new ZooKeeperWatch(client, settings.path());
        try {
            client.start();
            if (!new Nodes(client).areReachable(OPENED_WITHIN)) {
                throw new TimeoutException();
            }
            makePath(settings, client);
            return new ZooKeeperLeaseStore(settings, client, watch, watch.begin(OPENED_WITHIN));
        } catch (Exception e) {
            // The catch clause is broad, because Curator's methods declare Exception.
            client.close();
            watch.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (isRefusal(e)) {
                throw new StoreRefusedException(
                        "ZooKeeper at " + settings.url().place() + " cannot be used: " + whatHappened(e),
                        remedy(settings),
                        e);
            }
            throw new StoreUnavailableException(
                    "ZooKeeper at " + settings.url().place() + " cannot be used: " + whatHappened(e)
                            + "; check the addresses, the user's rights on " + settings.path()
                            + ", and that most servers run",
                    e);
        }
    }

    @Override
    protected void awaitConnection(Duration atMost) {
        if (!nodes.areReachable(atMost)) {
            throw new StoreUnavailableException("there is no connection");
        }
    }

    @Override
    protected List<CompletableFuture<VersionedLease>> sendReads(List<String> elections) {
        return elections.stream()
                .map(each -> nodes.find(path(each)).thenApply(held -> lease(each, held)))
                .toList();
    }

    @Override
    protected CompletableFuture<CasOutcome> send(LeaseStore.Write write) {
        String election = write.next().election();
        byte[] text = LeaseRecordText.write(write.next()).getBytes(StandardCharsets.UTF_8);
        return conditionalSet
                .run(path(election), write.expected(), text)
                .thenApply(result -> result.written()
                        .<CasOutcome>map(CasOutcome.Written::new)
                        .orElseGet(() -> new CasOutcome.Conflict(lease(election, result.current()))));
    }

    @Override
    protected Optional<StoreRefusedException> refusal(Throwable cause) {
        return isRefusal(cause)
                ? Optional.of(new StoreRefusedException(String.valueOf(cause.getMessage()), remedy(settings), cause))
                : Optional.empty();
    }

    private static boolean isRefusal(Throwable cause) {
        return cause instanceof KeeperException.NoAuthException
                || cause instanceof KeeperException.AuthFailedException
                || cause instanceof KeeperException.SessionClosedRequireAuthException;
    }

    private static String remedy(ZooKeeperSettings settings) {
        return "check the user and the password in the URL, and give this user the rights create, read and write on "
                + settings.path() + " and its children (setAcl)";
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return promises.watches() ? Optional.of(watch.watch(path(election), changed)) : Optional.empty();
    }

    @Override
    public List<String> missingRights() {
        return rights.missing();
    }

    @Override
    public LeaseStore.Promises promises() {
        return promises;
    }

    @Override
    public void close() {
        client.close();
        watch.close();
    }

    private VersionedLease lease(String election, Optional<Node> held) {
        return held.map(node -> VersionedLease.of(
                        ConditionalSet.version(node.stat()),
                        LeaseRecordText.readStored("the ZooKeeper node " + path(election), election, node.text())))
                .orElse(VersionedLease.ABSENT);
    }

    private String path(String election) {
        return settings.path() + "/" + LeaseFileNames.of(election);
    }

    private static void makePath(ZooKeeperSettings settings, CuratorFramework client) throws Exception {
        try {
            if (client.checkExists().forPath(settings.path()) == null) {
                client.create().creatingParentsIfNeeded().forPath(settings.path(), new byte[0]);
            }
        } catch (KeeperException.NodeExistsException e) {
            // Another process has just created the node.
        }
    }

    private static LeaseStore.Promises promises(boolean watches) {
        List<String> remarks = new ArrayList<>();
        remarks.add(
                "terms are as durable as the servers' log: one that runs with zookeeper.forceSync=no may forget what"
                        + " was confirmed when its machine fails, and no client can see that setting");
        if (!watches) {
            remarks.add(
                    "the servers are older than 3.6 and have no persistent watches, so candidates poll; upgrade them");
        }
        return new LeaseStore.Promises(true, watches, "a ZooKeeper ensemble", remarks);
    }
}
