package dev.doyen.spring;

import dev.doyen.cluster.ClusterMembership;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.cluster.Discovery;
import dev.doyen.group.RingElection;
import dev.doyen.group.RingElectionBuilder;
import dev.doyen.group.settings.RingTiming;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A source of elections on a ring. All these elections use one membership, which the first election opens. */
final class RingElectionSource implements ElectionSource {

    private final RingProperties ring;
    private final String process;
    private final Function<String, BooleanSupplier> healthBeans;
    private @Nullable ClusterMembership membership;

    /** @param process the name of this member and of its candidates */
    RingElectionSource(RingProperties ring, String process, Function<String, BooleanSupplier> healthBeans) {
        this.ring = ring;
        this.process = process;
        this.healthBeans = healthBeans;
    }

    @Override
    public synchronized RingElection open(String name, ElectionSettings settings) {
        if (!settings.isForRing()) {
            throw new DoyenRefusedException("doyen.elections." + name
                    + " has settings of a lease, and elections are on a ring; remove all but priority, health and"
                    + " auto-start, and set doyen.ring.election-timeout");
        }
        return Refusals.under("doyen.ring", () -> builder(name, settings).open());
    }

    @Override
    public synchronized void close() {
        ClusterMembership closing = membership;
        if (closing != null) {
            closing.close();
            membership = null;
        }
    }

    private RingElectionBuilder builder(String name, ElectionSettings settings) {
        RingElectionBuilder builder = RingElection.named(name)
                .electionTimeout(ring.electionTimeout())
                .algorithm(ring.algorithm())
                .order(ring.order())
                .priority(settings.priority())
                // The context closes the elections in its own order.
                .closeOnShutdown(false);
        ElectionSettings.Health health = settings.health();
        String bean = health.bean();
        if (bean != null) {
            builder.health(health.calling(healthBeans.apply(bean)));
        }
        return builder.membership(membership());
    }

    private ClusterMembership membership() {
        ClusterMembership there = membership;
        if (there == null) {
            there = ClusterMembership.open(cluster());
            membership = there;
        }
        return there;
    }

    private ClusterSettings cluster() {
        ClusterSettings settings =
                ClusterSettings.local(ring.cluster(), process).detecting(ring.detection());
        String secret = ring.secret();
        if (secret != null) {
            settings = settings.withSecret(secret);
        }
        // The settings are checked before the process joins. Otherwise the membership would briefly contain a process
        // that is then rejected.
        RingTiming.ofElectionTimeout(ring.electionTimeout()).checkSilence(settings.silence());
        InetSocketAddress own = address("doyen.ring.listen", ring.listen());
        String dns = ring.dns();
        return settings.listeningOn(own.getAddress(), own.getPort())
                .finding(
                        dns != null && !dns.isBlank()
                                ? new Discovery.Dns(dns)
                                : new Discovery.Peers(ring.peers().stream()
                                        .map(RingElectionSource::peer)
                                        .toList()));
    }

    private static InetSocketAddress peer(String text) {
        URI at = hostAndPort("doyen.ring.peers", text);
        return new InetSocketAddress(at.getHost(), at.getPort());
    }

    private static InetSocketAddress address(String key, String text) {
        URI at = hostAndPort(key, text);
        try {
            return new InetSocketAddress(InetAddress.getByName(at.getHost()), at.getPort());
        } catch (UnknownHostException e) {
            throw new DoyenRefusedException(
                    key + " is " + text + ", whose host cannot be resolved; name a host of this machine", e);
        }
    }

    private static URI hostAndPort(String key, String text) {
        try {
            URI at = new URI("ring://" + text.strip());
            if (at.getHost() != null && at.getPort() > 0) {
                return at;
            }
        } catch (URISyntaxException e) {
            // The exception below has a clearer message.
        }
        throw new DoyenRefusedException(key + " has \"" + text + "\"; name a host and a port, like localhost:7800");
    }
}
