package dev.doyen.stores.zookeeper;

import dev.doyen.store.support.StoreUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;

/**
 * The settings for access to a ZooKeeper ensemble, parsed from a URL.
 *
 * @param path the path of the leases' parent node
 * @param timeout the limit for each call
 */
record ZooKeeperSettings(StoreUrl url, String path, Duration timeout) {

    /**
     * The time in milliseconds after which the servers expire a silent client's session. With {@code tickTime=2000}, as
     * in ZooKeeper's sample configuration, this is the shortest session timeout that the servers grant.
     *
     * <p>Safety does not depend on this time, because no node is ephemeral. A client disconnects from a silent server
     * after two thirds of this time. The session timeout is short, so that this disconnection happens before a leader's
     * renewal deadline, at least with the default ttl.
     */
    private static final int SESSION_MILLIS = 4_000;

    static ZooKeeperSettings of(String text) {
        StoreUrl url = StoreUrl.parse(text, 2181, Set.of("timeout-millis"));
        String path = url.path().isEmpty() ? "/doyen" : url.path();
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "zookeeper: the path \"" + path + "\" is not the path of a node: " + e.getMessage(), e);
        }
        return new ZooKeeperSettings(
                url,
                path,
                url.millis("timeout-millis", Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMinutes(1)));
    }

    /**
     * Returns the access rights of the nodes.
     *
     * <p>By default everybody has all rights. If the URL contains a login, only that user has any rights.
     */
    List<ACL> access() {
        return url.login().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /** Returns a client that begins a new session after the old session has expired. The client repeats no request. */
    CuratorFramework client() {
        return client(new DefaultZookeeperFactory());
    }

    /** @param sessions the factory that begins the sessions */
    CuratorFramework client(ZookeeperFactory sessions) {
        var builder = CuratorFrameworkFactory.builder()
                .zookeeperFactory(new CatchingZooKeeperFactory(sessions))
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
