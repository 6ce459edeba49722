package dev.doyen.cli;

import dev.doyen.elector.http.CannotListenException;
import dev.doyen.hub.Hub;
import dev.doyen.hub.Sandbox;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.KeyedAdmins;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.claims.ClaimsOpener;
import dev.doyen.hub.server.nodes.NodeLink;
import dev.doyen.hub.server.settings.HubPlan;
import java.io.IOException;

/** Starts a hub. If that fails, the error names the flag to change. */
final class HubStart {

    private final ClaimsOpener opener;

    HubStart(ClaimsOpener opener) {
        this.opener = opener;
    }

    /**
     * Starts the hub.
     *
     * @param store the URL of the store for the leases behind claims
     * @param pages see {@link HubServer#start}
     */
    HubServer start(
            HubOptions options, ServerSettings settings, HubPlan plan, String store, HubPages pages, Sandbox sandbox)
            throws CommandFailedException {
        try {
            HubKeys keys = HubKeys.ofKeys(plan.keys());
            Claims claims = opener.open(store, settings.channel(), options.claimTtl());
            Hub hub = plan.nodes().isPresent()
                    ? Hub.node(plan.settings(), keys)
                    : new Hub(plan.settings(), keys, sandbox);
            var admins = new KeyedAdmins(keys, plan.settings());
            return HubServer.start(
                    settings, hub, admins, pages, claims, plan.nodes().map(NodeLink::new));
        } catch (IOException e) {
            throw new CommandFailedException("The store of the claims cannot be used: " + e.getMessage(), e);
        } catch (CannotListenException e) {
            var flag = switch (e.port()) {
                case HUB -> "--port";
                case ELECTOR -> "--elector-port";
                case PROBES, METRICS -> "--probe-port";
            };
            throw new CommandFailedException(
                    "Port " + e.address().getPort() + " on " + options.bind() + " cannot be opened (" + e.reason()
                            + "); choose another by " + flag + " PORT, or stop what uses it.",
                    e);
        }
    }

    /** Returns the URL of the file store in the data directory. */
    static String files(DataDirectory directory) {
        return "file:" + directory.path().toAbsolutePath().resolve("claims");
    }
}
