package dev.doyen.hub.ratelimit;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Refusal;
import java.util.Map;

/**
 * Authenticates where no other limit applies: new sockets, the console and admin commands.
 *
 * <p>Wrong credentials count for the address they come from. After too many of them, the hub rejects valid ones as well
 * ({@link RateLimits} describes the rule).
 *
 * <p>Errors: every method throws a {@link Refusal}; {@code RATE_LIMITED} means that the address has to wait. Threads:
 * one at a time.
 */
public final class CredentialCheck {

    private final Authenticator authenticator;
    private final RateLimits callers;

    /** A check outside a hub. It knows the same keys, but not the hub's sandbox apps, revocations and rate limits. */
    public CredentialCheck(HubKeys keys, HubSettings settings) {
        this(new Authenticator(keys, settings.clientIdRule()), new RateLimits(settings.restRates()));
    }

    public CredentialCheck(Authenticator authenticator, RateLimits callers) {
        this.authenticator = authenticator;
        this.callers = callers;
    }

    private interface Proof {
        Access prove() throws Refusal;
    }

    /**
     * Authenticates by the query of a socket.
     *
     * @param address the client's address; empty if unknown
     */
    public Access ofQuery(Map<String, String> query, String address, long wallMillis, long nowNanos) throws Refusal {
        return counted(() -> authenticator.ofQuery(query, wallMillis), address, nowNanos);
    }

    /**
     * Authenticates by an {@code Authorization} header.
     *
     * @param address the client's address; empty if unknown
     * @param nowNanos of any monotonic clock
     */
    public Access ofHeader(String authorization, String address, long wallMillis, long nowNanos) throws Refusal {
        return counted(() -> authenticator.ofHeader(authorization, wallMillis), address, nowNanos);
    }

    private Access counted(Proof proof, String address, long nowNanos) throws Refusal {
        Access access;
        try {
            access = proof.prove();
        } catch (Refusal noGood) {
            if (RateLimits.isGuess(noGood)) {
                callers.misnamed(address, nowNanos);
            }
            throw noGood;
        }
        callers.proved(access, address, nowNanos);
        return access;
    }
}
