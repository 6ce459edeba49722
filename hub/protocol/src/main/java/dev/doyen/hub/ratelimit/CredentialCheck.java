package dev.doyen.hub.ratelimit;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Refusal;
import java.util.Map;

/**
 * Authenticates the clients of sockets, the console and admin commands, and limits wrong credentials.
 *
 * <p>Wrong credentials count for the address from which they were sent. After too many wrong credentials, the hub also
 * rejects valid credentials from that address. {@link RateLimits} describes the rule.
 *
 * <p>Rejected credentials cause a {@link Refusal}. Its code {@code RATE_LIMITED} means that the address has to wait.
 * One thread at a time may use an instance.
 */
public final class CredentialCheck {

    private final Authenticator authenticator;
    private final RateLimits callers;

    /**
     * Creates a check outside a hub. The check accepts the hub's keys, but no keys of sandbox apps, and ignores
     * revocations. It counts wrong credentials separately from the hub.
     */
    public CredentialCheck(HubKeys keys, HubSettings settings) {
        this(new Authenticator(keys, settings.clientIdRule()), new RateLimits(settings.restRates()));
    }

    public CredentialCheck(Authenticator authenticator, RateLimits callers) {
        this.authenticator = authenticator;
        this.callers = callers;
    }

    /** Replaces the accepted keys. */
    public void replaceKeys(HubKeys next) {
        authenticator.replaceKeys(next);
    }

    private interface Proof {
        Access prove() throws Refusal;
    }

    /**
     * Authenticates a client by the query of its socket.
     *
     * @param address the client's address; empty if the address is unknown
     */
    public Access ofQuery(Map<String, String> query, String address, long wallMillis, long nowNanos) throws Refusal {
        return counted(() -> authenticator.ofQuery(query, wallMillis), address, nowNanos);
    }

    /**
     * Authenticates by an {@code Authorization} header.
     *
     * @param address the client's address; empty if the address is unknown
     * @param nowNanos the time of any monotonic clock
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
