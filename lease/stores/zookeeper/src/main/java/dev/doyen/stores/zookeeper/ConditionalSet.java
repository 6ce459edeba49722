package dev.doyen.stores.zookeeper;

import dev.doyen.store.LeaseVersion;
import dev.doyen.stores.zookeeper.Nodes.Node;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * The compare-and-set on a node.
 *
 * <p>ZooKeeper compares only the node's version, which starts at 0 with each new node. So a deleted and recreated node
 * could pass for the old one. A lease's version is therefore the id of the transaction that created the node (czxid), a
 * dot, and the node's version. The czxid is read before the write.
 *
 * <p>One case remains: between that read and the write, the node is deleted, recreated, and written as often as before.
 * Doyen never deletes a node.
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
     * @param written the new version; empty if nothing was written
     * @param current the present node after a conflict, including everything that was confirmed before
     */
    record Result(Optional<LeaseVersion> written, Optional<Node> current) {}

    static LeaseVersion version(Stat stat) {
        return new LeaseVersion(stat.getCzxid() + "." + stat.getVersion());
    }

    CompletableFuture<Result> run(String path, LeaseVersion expected, byte[] bytes) {
        if (expected.isAbsent()) {
            return orConflict(nodes.create(path, bytes, access), Code.NODEEXISTS, path, expected);
        }
        // The connected server may lag behind. If it shows another creation or no node, it must sync first.
        return nodes.find(path)
                .thenCompose(seen -> isOf(seen, expected)
                        ? set(path, expected, bytes)
                        : nodes.sync(path)
                                .thenCompose(synced -> nodes.find(path))
                                .thenCompose(fresh -> isOf(fresh, expected)
                                        ? set(path, expected, bytes)
                                        : CompletableFuture.completedFuture(new Result(Optional.empty(), fresh))));
    }

    private CompletableFuture<Result> set(String path, LeaseVersion expected, byte[] bytes) {
        String version = expected.value().substring(expected.value().indexOf('.') + 1);
        return orConflict(nodes.set(path, bytes, Integer.parseInt(version)), Code.BADVERSION, path, expected);
    }

    private CompletableFuture<Result> orConflict(
            CompletableFuture<Stat> write, Code refused, String path, LeaseVersion expected) {
        return write.thenApply(stat -> new Result(Optional.of(version(stat)), Optional.empty()))
                .exceptionallyCompose(error -> Nodes.is(error, refused) || Nodes.is(error, Code.NONODE)
                        ? conflict(path, expected)
                        : CompletableFuture.failedFuture(error));
    }

    private CompletableFuture<Result> conflict(String path, LeaseVersion expected) {
        return nodes.sync(path).thenCompose(synced -> nodes.find(path)).thenApply(fresh -> {
            if (fresh.map(node -> version(node.stat()))
                    .orElse(LeaseVersion.ABSENT)
                    .equals(expected)) {
                throw new IllegalStateException("the node " + path + " is deleted and made while it is written");
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
