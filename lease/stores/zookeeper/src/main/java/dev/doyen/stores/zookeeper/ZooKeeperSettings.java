package dev.doyen.stores.zookeeper;

import dev.doyen.store.StoreUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;

/**
 * How to reach a ZooKeeper ensemble, parsed from a URL.
 *
 * @param path the parent node of the leases
 * @param timeout limit for each call
 */
record ZooKeeperSettings(StoreUrl url, String path, Duration timeout) {

    /**
     * How long the servers keep a silent client's session. It is the least that they grant by default.
     *
     * <p>Safety does not depend on it, because no node is ephemeral. But a client leaves a silent server after two
     * thirds of this time, which should be before a leader's deadline.
     */
    private static final int SESSION_MILLIS = 4_000;

    static ZooKeeperSettings of(String text) {
        StoreUrl url = StoreUrl.parse(text, 2181, Set.of("timeout-millis"));
        String path = url.path().isEmpty() ? "/doyen" : url.path();
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "zookeeper: the path \"" + path + "\" cannot be a node's: " + e.getMessage(), e);
        }
        return new ZooKeeperSettings(
                url,
                path,
                url.millis("timeout-millis", Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMinutes(1)));
    }

    /**
     * Returns the access rights of the nodes.
     *
     * <p>Everybody has all rights. If the URL contains a login, only that user has them.
     */
    List<ACL> access() {
        return url.login().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /** Returns a client that begins a new session when the old one has expired. It repeats no request. */
    CuratorFramework client() {
        var builder = CuratorFrameworkFactory.builder()
                .connectString(url.hosts().stream().map(Object::toString).collect(Collectors.joining(",")))
                .sessionTimeoutMs(SESSION_MILLIS)
                .connectionTimeoutMs((int) timeout.toMillis())
                .retryPolicy(new RetryNTimes(0, 0))
                .ensembleTracker(false)
                .dontUseContainerParents()
                .aclProvider(new ACLProvider() {
                    @Override
                    public List<ACL> getDefaultAcl() {
                        return access();
                    }

                    @Override
                    public List<ACL> getAclForPath(String any) {
                        return access();
                    }
                });
        url.login()
                .ifPresent(login -> builder.authorization(
                        "digest", (login.user() + ":" + login.password()).getBytes(StandardCharsets.UTF_8)));
        return builder.build();
    }
}
