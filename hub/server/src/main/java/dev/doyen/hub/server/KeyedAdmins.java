package dev.doyen.hub.server;

import dev.doyen.elector.AdminCheck;
import dev.doyen.elector.Admins;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.ratelimit.CredentialCheck;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.Refusal;

/**
 * Accepts admins whose key allows the {@code admin} operation on the channel.
 *
 * <p>The class rejects tokens, because it cannot find out whether a token was revoked. The rate limit for failed
 * attempts is separate from the limit of the hub. Any thread may call the methods.
 */
public final class KeyedAdmins implements Admins {

    private final CredentialCheck credentials;

    public KeyedAdmins(HubKeys keys, HubSettings settings) {
        this.credentials = new CredentialCheck(keys, settings);
    }

    /** Accepts the admins of these keys from now on. */
    public void replaceKeys(HubKeys keys) {
        synchronized (credentials) {
            credentials.replaceKeys(keys);
        }
    }

    @Override
    public AdminCheck check(String authorization, String address, String election) {
        try {
            if (!authorization.regionMatches(true, 0, "Basic ", 0, 6)) {
                return AdminCheck.rejected("admin commands need a key; send it as Authorization: Basic");
            }
            Access access;
            synchronized (credentials) {
                // The wall clock time is 0, because only tokens need it.
                access = credentials.ofHeader(authorization, address, 0, System.nanoTime());
            }
            return access.allows(Slot.channelOf(election), Operation.ADMIN)
                    ? AdminCheck.accepted("the key \"" + access.keyName() + "\"")
                    : AdminCheck.rejected("the key \"" + access.keyName() + "\" does not allow admin on this channel");
        } catch (Refusal refusal) {
            return AdminCheck.rejected(refusal.error().message());
        }
    }
}
