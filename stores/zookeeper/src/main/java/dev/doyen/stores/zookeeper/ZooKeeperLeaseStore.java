package dev.doyen.stores.zookeeper;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseFileNames;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.StorePromises;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.zookeeper.Nodes.Node;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;

/**
 * Leases in ZooKeeper: a persistent node per election. {@link ConditionalSet} is the compare-and-set. A read is answered by
 * the server one is connected to, which may lag behind the others; that is an old answer and no harm, for the
 * compare-and-set is decided by the ensemble.
 *
 * <p>Threads: any number, over one session. Nothing is sent twice ({@link Nodes}), and every call ends within the timeout.
 */
public final class ZooKeeperLeaseStore implements LeaseStore {

    private static final int AT_ONCE = 128;

    /** Opening waits longer than a call does: for the first connection. */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(10);

    private final ZooKeeperSettings settings;
    private final CuratorFramework client;
    private final Nodes nodes;
    private final ConditionalSet conditionalSet;
    private final ZooKeeperWatch watch;
    private final StorePromises promises;

    private ZooKeeperLeaseStore(
            ZooKeeperSettings settings, CuratorFramework client, ZooKeeperWatch watch, boolean watches) {
        this.settings = settings;
        this.client = client;
        this.nodes = new Nodes(client);
        this.conditionalSet = new ConditionalSet(nodes, settings.access());
        this.watch = watch;
        this.promises = promises(watches);
    }

    /** Opens the store, and makes the node above the leases if it is not there. */
    static ZooKeeperLeaseStore open(ZooKeeperSettings settings) {
        CuratorFramework client = settings.client();
        try {
            client.start();
            if (!new Nodes(client).areReachable(OPENED_WITHIN)) {
                throw new TimeoutException();
            }
            makePath(settings, client);
            var watch = new ZooKeeperWatch(client, settings.path());
            return new ZooKeeperLeaseStore(settings, client, watch, watch.begin(OPENED_WITHIN));
        } catch (Exception e) {
            // Curator declares just that.
            client.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new StoreUnavailableException(
                    "ZooKeeper at " + settings.url().place() + " cannot be used: " + whatHappened(e)
                            + "; check the addresses, the user's rights on " + settings.path()
                            + ", and that most servers run",
                    e);
        }
    }

    @Override
    public VersionedLease read(String election) {
        return readAll(List.of(election)).values().iterator().next();
    }

    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        for (List<String> some : chunks(List.copyOf(elections))) {
            if (!nodes.areReachable(left(deadline))) {
                throw new StoreUnavailableException(
                        "no connection to ZooKeeper at " + settings.url().place());
            }
            Map<String, CompletableFuture<Optional<Node>>> asked = new LinkedHashMap<>();
            some.forEach(each -> asked.put(each, nodes.find(path(each))));
            for (var each : asked.entrySet()) {
                try {
                    found.put(each.getKey(), lease(each.getKey(), await(each.getValue(), deadline)));
                } catch (ExecutionException | TimeoutException e) {
                    throw new StoreUnavailableException(
                            "ZooKeeper at " + settings.url().place() + " did not answer a read: " + whatHappened(e), e);
                }
            }
        }
        return found;
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        return compareAndSetAll(List.of(new LeaseWrite(expected, next))).get(0);
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseWrite> writes) {
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        List<CasOutcome> outcomes = new ArrayList<>();
        for (List<LeaseWrite> some : chunks(writes)) {
            if (!nodes.areReachable(left(deadline))) {
                some.forEach(each -> outcomes.add(new CasOutcome.Unknown("the lease of \""
                        + each.next().election() + "\" was not written: there is no connection to ZooKeeper at "
                        + settings.url().place())));
                continue;
            }
            List<CompletableFuture<ConditionalSet.Result>> sent = new ArrayList<>();
            some.forEach(each -> sent.add(conditionalSet.run(
                    path(each.next().election()),
                    each.expected(),
                    LeaseRecordText.write(each.next()).getBytes(StandardCharsets.UTF_8))));
            for (int i = 0; i < some.size(); i++) {
                outcomes.add(outcome(some.get(i).next().election(), sent.get(i), deadline));
            }
        }
        return outcomes;
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return promises.watches() ? Optional.of(watch.watch(path(election), changed)) : Optional.empty();
    }

    @Override
    public StorePromises promises() {
        return promises;
    }

    @Override
    public void close() {
        client.close();
    }

    private CasOutcome outcome(String election, Future<ConditionalSet.Result> sent, long deadline) {
        try {
            ConditionalSet.Result result = await(sent, deadline);
            return result.written()
                    .<CasOutcome>map(CasOutcome.Written::new)
                    .orElseGet(() -> new CasOutcome.Conflict(lease(election, result.current())));
        } catch (ExecutionException | TimeoutException | StoreUnavailableException e) {
            return new CasOutcome.Unknown("the lease of \"" + election + "\" could not be written to ZooKeeper at "
                    + settings.url().place() + ": " + whatHappened(e));
        }
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
            // Somebody else has just made it.
        }
    }

    private static StorePromises promises(boolean watches) {
        List<String> remarks = new ArrayList<>();
        remarks.add(
                "terms are as durable as the servers' log: one that runs with zookeeper.forceSync=no may forget what"
                        + " was confirmed when its machine fails, and no client can see that setting");
        if (!watches) {
            remarks.add(
                    "the servers are older than 3.6 and have no persistent watches, so candidates poll; upgrade them");
        }
        return new StorePromises(true, watches, "a ZooKeeper ensemble", remarks);
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    private static <T> T await(Future<T> answer, long deadline) throws ExecutionException, TimeoutException {
        try {
            return answer.get(left(deadline).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for ZooKeeper", e);
        }
    }

    private static String whatHappened(Throwable e) {
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        return cause instanceof TimeoutException
                ? "no answer in time"
                : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private static <T> List<List<T>> chunks(List<T> all) {
        List<List<T>> chunks = new ArrayList<>();
        for (int i = 0; i < all.size(); i += AT_ONCE) {
            chunks.add(all.subList(i, Math.min(all.size(), i + AT_ONCE)));
        }
        return chunks;
    }
}
