package dev.doyen.server;

import dev.doyen.elector.Admins;
import dev.doyen.hub.HubSettings;
import dev.doyen.hub.Slot;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.wire.Refusal;
import java.util.Optional;

/** Admins by key: who proves one that may do {@code admin} on the channel. Tokens are not taken, for one may be revoked. Threads: any. */
public final class KeyedAdmins implements Admins {

    /** Its own, to which nothing is ever lent: so it may be asked on any thread. */
    private final Authenticator authenticator;

    public KeyedAdmins(HubKeys keys, HubSettings settings) {
        this.authenticator = new Authenticator(keys, settings.clientIdRule());
    }

    @Override
    public Optional<String> refusal(String authorization, String election) {
        try {
            if (!authorization.regionMatches(true, 0, "Basic ", 0, 6)) {
                return Optional.of("orders are taken with a key only; send it as Authorization: Basic");
            }
            // The time is of tokens' interest only.
            Access access = authenticator.ofHeader(authorization, 0);
            return access.allows(Slot.channelOf(election), Operation.ADMIN)
                    ? Optional.empty()
                    : Optional.of("the key \"" + access.keyName() + "\" does not allow admin on this channel");
        } catch (Refusal refusal) {
            return Optional.of(refusal.error().message());
        }
    }
}
