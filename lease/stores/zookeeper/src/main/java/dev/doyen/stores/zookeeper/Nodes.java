package dev.doyen.stores.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Reads and writes nodes asynchronously, and sends each request once.
 *
 * <p>The class bypasses Curator's retry loop. That loop would queue requests without a connection, and repeat requests
 * whose answer was lost.
 *
 * <p>Threads: any. A future completes on ZooKeeper's event thread, so dependent stages must not block. If the request
 * cannot be sent, the future completes on the caller's thread. Errors: if ZooKeeper reports an error, the future fails
 * with a {@link KeeperException}, or with an {@link IllegalStateException} if the error code is unknown. If a request
 * cannot be sent, the future fails with the exception or Error that the client threw.
 */
final class Nodes {

    private final CuratorFramework client;

    Nodes(CuratorFramework client) {
        this.client = client;
    }

    /** A node's text and its metadata in ZooKeeper. */
    record Node(String text, Stat stat) {}

    /**
     * Reads the node on the connected server. The result includes this client's writes, but not always the newest
     * writes of other clients.
     */
    private CompletableFuture<Node> get(String path) {
        var answer = new CompletableFuture<Node>();
        return with(
                answer,
                zookeeper -> zookeeper.getData(
                        path,
                        false,
                        (code, p, context, bytes, stat) -> settle(
                                answer,
                                code,
                                path,
                                () -> new Node(bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8), stat)),
                        null));
    }

    /** Reads the node on the connected server. The result is empty if the node does not exist. */
    CompletableFuture<Optional<Node>> find(String path) {
        return get(path)
                .thenApply(Optional::of)
                .exceptionallyCompose(error -> is(error, Code.NONODE)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(error));
    }

    /**
     * Makes the connected server apply all confirmed writes. After the sync, the result of {@link #find} includes every
     * write that was confirmed before the sync.
     */
    CompletableFuture<String> sync(String path) {
        var answer = new CompletableFuture<String>();
        return with(
                answer,
                zookeeper -> zookeeper.sync(path, (code, p, context) -> settle(answer, code, path, () -> path), null));
    }

    CompletableFuture<Stat> create(String path, byte[] bytes, List<ACL> access) {
        var answer = new CompletableFuture<Stat>();
        return with(
                answer,
                zookeeper -> zookeeper.create(
                        path,
                        bytes,
                        access,
                        CreateMode.PERSISTENT,
                        (code, p, context, name, stat) -> settle(answer, code, path, () -> stat),
                        null));
    }

    CompletableFuture<Stat> set(String path, byte[] bytes, int version) {
        var answer = new CompletableFuture<Stat>();
        return with(
                answer,
                zookeeper -> zookeeper.setData(
                        path,
                        bytes,
                        version,
                        (code, p, context, stat) -> settle(answer, code, path, () -> stat),
                        null));
    }

    /** Sets a persistent watch on the node and on all nodes below it. */
    CompletableFuture<String> watch(String path, Watcher watcher) {
        var answer = new CompletableFuture<String>();
        return with(
                answer,
                zookeeper -> zookeeper.addWatch(
                        path,
                        watcher,
                        AddWatchMode.PERSISTENT_RECURSIVE,
                        (code, p, context) -> settle(answer, code, path, () -> path),
                        null));
    }

    /** Waits at most {@code within} for a connection, and returns true if the connection is open. */
    boolean areReachable(Duration within) {
        try {
            return client.blockUntilConnected((int) Math.max(1, within.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static boolean is(Throwable error, Code code) {
        Throwable cause = error.getCause() != null && !(error instanceof KeeperException) ? error.getCause() : error;
        return cause instanceof KeeperException keeper && keeper.code() == code;
    }

    private interface Request {
        void send(ZooKeeper to);
    }

    private <T> CompletableFuture<T> with(CompletableFuture<T> answer, Request request) {
        try {
            request.send(client.getZookeeperClient().getZooKeeper());
        } catch (Throwable e) {
            // getZooKeeper() declares Exception, because it begins a session if none exists. An Error must not leave
            // the future incomplete.
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private static <T> void settle(CompletableFuture<T> answer, int code, String path, Supplier<T> value) {
        if (code == Code.OK.intValue()) {
            answer.complete(value.get());
        } else {
            Code known = Code.get(code);
            answer.completeExceptionally(
                    known == null
                            ? new IllegalStateException("ZooKeeper answers with the unknown code " + code)
                            : KeeperException.create(known, path));
        }
    }
}
