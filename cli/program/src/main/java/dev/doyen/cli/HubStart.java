package dev.doyen.cli;

import dev.doyen.elector.AdminKey;
import dev.doyen.elector.Admins;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.hub.Hub;
import dev.doyen.hub.Sandbox;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.KeyedAdmins;
import dev.doyen.hub.server.ServerSettings;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.claims.ClaimsOpener;
import dev.doyen.hub.server.issuers.IssuerKeySources;
import dev.doyen.hub.server.nodes.NodeLink;
import dev.doyen.hub.server.settings.HubPlan;
import dev.doyen.hub.server.settings.SettingsReload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Starts a hub. If a port cannot be opened, the error contains the option that changes the port. */
final class HubStart {

    private final ClaimsOpener opener;

    HubStart(ClaimsOpener opener) {
        this.opener = opener;
    }

    /**
     * Starts the hub.
     *
     * @param store the URL of the store that contains the leases of claims
     * @param adminKey the key that may administer every election; empty if only the hub's keys may do so
     * @param reload the settings file that is reloaded; empty if there is none; the server closes the file
     * @param pages the pages that the hub serves; see {@link HubServer#start}
     */
    HubServer start(
            HubOptions options,
            ServerSettings settings,
            HubPlan plan,
            Optional<SettingsReload> reload,
            String store,
            Optional<AdminKey> adminKey,
            HubPages pages,
            Sandbox sandbox)
            throws CommandFailedException {
        try {
            IssuerKeySources issuers = issuers(plan);
            HubKeys keys = HubKeys.ofKeys(plan.keys());
            Claims claims = opener.open(
                    store,
                    new ClaimSettings(
                            plan.leaseTtl(options.claimTtl()), plan.savedStateAge(), List.of(settings.channel())));
            Hub hub = plan.nodes().isPresent()
                    ? Hub.node(plan.settings(), keys)
                    : new Hub(plan.settings(), keys, sandbox);
            issuers.trustedBy(hub);
            var keyed = new KeyedAdmins(keys, plan.settings());
            Admins admins = adminKey.map(key -> key.or(keyed)).orElse(keyed);
            HubServer server = HubServer.start(
                    settings, hub, admins, pages, claims, plan.nodes().map(NodeLink::new));
            server.reloadIssuerKeys(issuers);
            reload.ifPresent(file -> server.reloadKeys(file, keyed));
            return server;
        } catch (IOException e) {
            throw new CommandFailedException("The store of the claims cannot be used: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw new CommandFailedException("The revocations of tokens cannot be read: " + e.getMessage() + ".", e);
        } catch (CannotListenException e) {
            var flag = switch (e.port()) {
                case HUB -> "--port";
                case ELECTOR -> "--elector-port";
                case PROBES, METRICS -> "--probe-port";
                case REDIRECT -> "--tls-redirect";
            };
            var isRedirect = e.port() == Port.REDIRECT;
            throw new CommandFailedException(
                    isRedirect
                            ? e.sentence(e.address().getHostString(), flag + " HOST:PORT")
                            : e.sentence(options.bind(), flag + " PORT"),
                    e);
        }
    }

    private static IssuerKeySources issuers(HubPlan plan) throws CommandFailedException {
        try {
            return IssuerKeySources.open(plan.issuers());
        } catch (IOException e) {
            throw new CommandFailedException("The keys of a token issuer cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /** Returns the URL of the file store in the data directory. */
    static String files(DataDirectory directory) {
        return "file:" + directory.path().toAbsolutePath().resolve("claims");
    }
}
