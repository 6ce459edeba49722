package dev.doyen.demo;

import dev.doyen.demo.quorum.driver.QuorumDemo;
import dev.doyen.demo.quorum.driver.QuorumDemoHandler;
import dev.doyen.demo.ring.driver.RingVisualizerHandler;
import dev.doyen.elector.AdminKey;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.Urls;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.process.SearchPath;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pages of {@code ./doyen demo}.
 *
 * <p>The pages are the counter, the game, the vote, the ring visualizer and the quorum demonstration.
 *
 * <p>Threads: see {@link HubPages}. {@link #quorum} may be called from any thread.
 */
public final class DemoPages implements HubPages {

    private static final Pattern CHANNEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9:._-]{0,99}");
    private static final Pattern OWN_MACHINE = Pattern.compile("/(?:console|quorum)(?:/.*)?");

    private final AdminKey adminKey;
    private final ServerSettings settings;
    private final PageTokens tokens;
    private final Optional<QuorumDemo> quorum;
    private volatile String sharedUrl = "";

    /**
     * Creates the pages of a hub.
     *
     * @param key the hub's key, which signs the tokens of the pages
     * @param adminKey the key for the actions of the quorum demonstration
     */
    public DemoPages(String key, AdminKey adminKey, ServerSettings settings) {
        this.adminKey = adminKey;
        this.settings = settings;
        tokens = new PageTokens(key, settings.channel());
        quorum = settings.audience() == Audience.LOOPBACK
                ? Optional.of(new QuorumDemo(SearchPath.ofThisProcess()))
                : Optional.empty();
    }

    /**
     * Returns true if the pages can use a channel of this name: 1 to 100 letters, digits and {@code : . _ -}, of which
     * the first is a letter or a digit.
     */
    public static boolean isChannel(String name) {
        return CHANNEL.matcher(name).matches();
    }

    /** Returns the quorum demonstration; empty if other machines can reach the hub. */
    public Optional<QuorumDemo> quorum() {
        return quorum;
    }

    @Override
    public HttpHandler site(String elector, EventLoop streams) {
        var page = pages(elector, settings.audience());
        return quorum.<HttpHandler>map(demo -> new QuorumDemoHandler(
                        demo, adminKey, new ConsoleFeed<>(demo, streams, QuorumDemoHandler.BETWEEN_EVENTS), page))
                .orElseGet(() -> QuorumDemoHandler.absent(page));
    }

    /**
     * Opens the pages to other machines, and shows the address with its QR code on the pages.
     *
     * <p>On this address, the pages get tokens for their own channels. The console and the quorum demonstration are
     * absent there, because they control this machine. See {@link HubServer#share}.
     *
     * @param server the server that serves these pages
     * @param address an address of this machine that other machines can reach
     * @return the URL of the pages
     * @throws CannotListenException if the port of the server cannot be opened on the address
     */
    public String share(HubServer server, InetAddress address) throws CannotListenException {
        var page = pages("", Audience.NETWORK);
        server.share(address, (ctx, request) -> {
            if (OWN_MACHINE.matcher(Reading.path(request)).matches()) {
                HttpReply.sentence(
                                404,
                                "The console and the quorum demonstration are served only on the machine of the demo;"
                                        + " open them there at localhost.")
                        .send(ctx, request);
            } else {
                page.serve(ctx, request);
            }
        });
        var url = Urls.root("http", address, server.hubAddress().getPort());
        sharedUrl = url;
        return url;
    }

    private HttpHandler pages(String elector, Audience audience) {
        return new RingVisualizerHandler(new DemoPageHandler(
                DemoPages.class.getClassLoader(),
                () -> new PageConfig(
                        settings.channel(),
                        elector,
                        settings.claimTtlMillis(),
                        sharedUrl,
                        audience == Audience.LOOPBACK),
                tokens,
                audience));
    }

    @Override
    public void close() {
        quorum.ifPresent(QuorumDemo::close);
    }
}
