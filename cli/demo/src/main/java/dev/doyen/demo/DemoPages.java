package dev.doyen.demo;

import dev.doyen.demo.quorum.driver.QuorumDemo;
import dev.doyen.demo.quorum.driver.QuorumDemoHandler;
import dev.doyen.demo.ring.driver.RingVisualizerHandler;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.process.SearchPath;
import io.netty.channel.EventLoop;
import java.util.Optional;

/**
 * The pages of {@code ./doyen demo}: the counter, the game, the vote, the ring visualizer and the quorum demonstration.
 *
 * <p>Threads: those of {@link HubPages}. {@link #quorum} may be called from any thread.
 */
public final class DemoPages implements HubPages {

    private final String key;
    private final ServerSettings settings;
    private final Optional<QuorumDemo> quorum;

    /**
     * Creates the pages of a hub.
     *
     * @param key the hub's key, which everybody who may open the pages receives
     */
    public DemoPages(String key, ServerSettings settings) {
        this.key = key;
        this.settings = settings;
        quorum = settings.audience() == Audience.LOOPBACK
                ? Optional.of(new QuorumDemo(SearchPath.ofThisProcess()))
                : Optional.empty();
    }

    /** The demonstration at {@code /quorum/}; empty if other machines can reach the hub. */
    public Optional<QuorumDemo> quorum() {
        return quorum;
    }

    @Override
    public HttpHandler site(String elector, EventLoop streams) {
        var config = new PageConfig(key, settings.channel(), elector, settings.claimTtlMillis());
        var page = new RingVisualizerHandler(
                new DemoPageHandler(DemoPages.class.getClassLoader(), config, settings.audience()));
        return quorum.<HttpHandler>map(demo -> new QuorumDemoHandler(
                        demo, new ConsoleFeed<>(demo, streams, QuorumDemoHandler.BETWEEN_EVENTS), page))
                .orElseGet(() -> QuorumDemoHandler.absent(page));
    }

    @Override
    public void close() {
        quorum.ifPresent(QuorumDemo::close);
    }
}
