package dev.doyen.stores.zookeeper;

import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.zookeeper.Nodes.Node;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Implements the compare-and-set on a node.
 *
 * <p>ZooKeeper compares only the node's version, which starts at 0 with each new node. So a deleted and recreated node
 * could have the same version as the old node. A lease's version is therefore the id of the transaction that created
 * the node (czxid), a dot, and the node's version. The class reads the czxid before the write.
 *
 * <p>The class does not detect one case: between the read and the write, the node is deleted, recreated, and written
 * until its version is the same again. Only another program can cause this case, because Doyen never deletes a node.
 */
final class ConditionalSet {

    private final Nodes nodes;
    private final List<ACL> access;

    ConditionalSet(Nodes nodes, List<ACL> access) {
        this.nodes = nodes;
        this.access = access;
    }

    /**
     * The outcome of a compare-and-set.
     *
     * @param written the new version; empty if the record was not written
     * @param current the current node after a conflict; empty after a write, or if the node does not exist. The node
     *     includes every write that was confirmed before the last call of {@link Nodes#sync}
     */
    record Result(Optional<LeaseVersion> written, Optional<Node> current) {}

    static LeaseVersion version(Stat stat) {
        return new LeaseVersion(stat.getCzxid() + "." + stat.getVersion());
    }

    CompletableFuture<Result> run(String path, LeaseVersion expected, byte[] bytes) {
        if (expected.isAbsent()) {
            return nodes.create(path, bytes, access)
                    .thenApply(ConditionalSet::written)
                    .exceptionallyCompose(error -> notCreated(error, path, expected));
        }
        // The connected server can lag behind the other servers. If it returns no node or a node with another czxid,
        // make it sync, and read the node again.
        return nodes.find(path)
                .thenCompose(seen -> isOf(seen, expected)
                        ? set(path, expected, bytes)
                        : nodes.sync(path)
                                .thenCompose(synced -> nodes.find(path))
                                .thenCompose(fresh -> isOf(fresh, expected)
                                        ? set(path, expected, bytes)
                                        : CompletableFuture.completedFuture(new Result(Optional.empty(), fresh))));
    }

    private CompletableFuture<Result> notCreated(Throwable error, String path, LeaseVersion expected) {
        if (Nodes.is(error, Code.NODEEXISTS)) {
            return conflict(path, expected);
        }
        return Nodes.is(error, Code.NONODE) ? parentMissing(parent(path)) : CompletableFuture.failedFuture(error);
    }

    /** Creates the deleted parent node again. The returned future fails, and the next attempt can create the lease. */
    private CompletableFuture<Result> parentMissing(String parent) {
        return ensure(parent).thenApply(created -> {
            throw new StoreUnavailableException(
                    "the node " + parent + " was missing and has been created again; the next attempt can succeed");
        });
    }

    /** Creates a node and its missing ancestors, unless the node exists. */
    private CompletableFuture<String> ensure(String path) {
        return createEmpty(path)
                .exceptionallyCompose(
                        error -> Nodes.is(error, Code.NONODE) && !parent(path).isEmpty()
                                ? ensure(parent(path)).thenCompose(created -> createEmpty(path))
                                : CompletableFuture.failedFuture(error));
    }

    private CompletableFuture<String> createEmpty(String path) {
        return nodes.create(path, new byte[0], access)
                .thenApply(stat -> path)
                .exceptionallyCompose(error -> Nodes.is(error, Code.NODEEXISTS)
                        ? CompletableFuture.completedFuture(path)
                        : CompletableFuture.failedFuture(error));
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private CompletableFuture<Result> set(String path, LeaseVersion expected, byte[] bytes) {
        String version = expected.value().substring(expected.value().indexOf('.') + 1);
        return nodes.set(path, bytes, Integer.parseInt(version))
                .thenApply(ConditionalSet::written)
                .exceptionallyCompose(error -> Nodes.is(error, Code.BADVERSION) || Nodes.is(error, Code.NONODE)
                        ? conflict(path, expected)
                        : CompletableFuture.failedFuture(error));
    }

    private static Result written(Stat stat) {
        return new Result(Optional.of(version(stat)), Optional.empty());
    }

    private CompletableFuture<Result> conflict(String path, LeaseVersion expected) {
        return nodes.sync(path).thenCompose(synced -> nodes.find(path)).thenApply(fresh -> {
            if (fresh.map(node -> version(node.stat()))
                    .orElse(LeaseVersion.ABSENT)
                    .equals(expected)) {
                throw new IllegalStateException("the node " + path + " was deleted and created again during the write");
            }
            return new Result(Optional.empty(), fresh);
        });
    }

    private static boolean isOf(Optional<Node> node, LeaseVersion expected) {
        String created =
                expected.value().substring(0, Math.max(0, expected.value().indexOf('.')));
        return node.isPresent() && Long.toString(node.get().stat().getCzxid()).equals(created);
    }
}
