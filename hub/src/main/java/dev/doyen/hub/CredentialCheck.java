package dev.doyen.hub;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.wire.Refusal;
import java.util.Map;

/**
 * What keys and tokens prove where nothing else is counted: when a socket is opened, at the console, with an order. Guesses
 * are counted by the address they come from; where there were too many, a right one is refused like a wrong one, as
 * {@link Callers} says.
 *
 * <p>Errors: every method throws a {@link Refusal}, {@code RATE_LIMITED} if only the address has to wait. Threads: one at a time.
 */
public final class CredentialCheck {

    private final Authenticator authenticator;
    private final Callers callers;

    /** Beside a hub: it knows the same keys, but nothing of the hub's apps, revocations and guesses. */
    public CredentialCheck(HubKeys keys, HubSettings settings) {
        this(new Authenticator(keys, settings.clientIdRule()), new Callers(settings.restRates()));
    }

    CredentialCheck(Authenticator authenticator, Callers callers) {
        this.authenticator = authenticator;
        this.callers = callers;
    }

    private interface Proof {
        Access prove() throws Refusal;
    }

    /**
     * By a socket's query.
     *
     * @param address where it comes from; empty if that is unknown
     */
    Access ofQuery(Map<String, String> query, String address, long wallMillis, long nowNanos) throws Refusal {
        return counted(() -> authenticator.ofQuery(query, wallMillis), address, nowNanos);
    }

    /**
     * By a header {@code Authorization}.
     *
     * @param address where it comes from; empty if that is unknown
     * @param nowNanos by any clock that only goes forward
     */
    public Access ofHeader(String authorization, String address, long wallMillis, long nowNanos) throws Refusal {
        return counted(() -> authenticator.ofHeader(authorization, wallMillis), address, nowNanos);
    }

    private Access counted(Proof proof, String address, long nowNanos) throws Refusal {
        Access access;
        try {
            access = proof.prove();
        } catch (Refusal noGood) {
            if (Callers.isGuess(noGood)) {
                callers.misnamed(address, nowNanos);
            }
            throw noGood;
        }
        callers.proved(access, address, nowNanos);
        return access;
    }
}
