package dev.doyen.demo;

import dev.doyen.demo.quorum.driver.QuorumDemo;
import dev.doyen.demo.quorum.driver.QuorumDemoHandler;
import dev.doyen.demo.ring.driver.RingVisualizerHandler;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.process.SearchPath;
import io.netty.channel.EventLoop;
import java.util.Optional;

/**
 * The pages of {@code ./doyen demo}.
 *
 * <p>The pages are the counter, the game, the vote, the ring visualizer and the quorum demonstration.
 *
 * <p>Threads: see {@link HubPages}. {@link #quorum} may be called from any thread.
 */
public final class DemoPages implements HubPages {

    private final String key;
    private final AdminKey adminKey;
    private final ServerSettings settings;
    private final Optional<QuorumDemo> quorum;

    /**
     * Creates the pages of a hub.
     *
     * @param key the hub's key, which signs the tokens of the pages
     * @param adminKey the key for the actions of the quorum demonstration
     */
    public DemoPages(String key, AdminKey adminKey, ServerSettings settings) {
        this.key = key;
        this.adminKey = adminKey;
        this.settings = settings;
        quorum = settings.audience() == Audience.LOOPBACK
                ? Optional.of(new QuorumDemo(SearchPath.ofThisProcess()))
                : Optional.empty();
    }

    /** Returns the quorum demonstration; empty if other machines can reach the hub. */
    public Optional<QuorumDemo> quorum() {
        return quorum;
    }

    @Override
    public HttpHandler site(String elector, EventLoop streams) {
        var config = new PageConfig(settings.channel(), elector, settings.claimTtlMillis());
        var page = new RingVisualizerHandler(new DemoPageHandler(
                DemoPages.class.getClassLoader(),
                config,
                new PageTokens(key, settings.channel()),
                settings.audience()));
        return quorum.<HttpHandler>map(demo -> new QuorumDemoHandler(
                        demo, adminKey, new ConsoleFeed<>(demo, streams, QuorumDemoHandler.BETWEEN_EVENTS), page))
                .orElseGet(() -> QuorumDemoHandler.absent(page));
    }

    @Override
    public void close() {
        quorum.ifPresent(QuorumDemo::close);
    }
}
