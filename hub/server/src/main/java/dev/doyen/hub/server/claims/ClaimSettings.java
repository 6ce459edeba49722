package dev.doyen.hub.server.claims;

import java.time.Duration;
import java.util.List;

/**
 * The settings of a hub's claims.
 *
 * @param leaseTtl the ttl of the leases; the lease of a crashed hub expires after this time
 * @param savedStateAge the time after which the hub deletes saved state that no holder has written again
 * @param watched the elections to observe from the start and without end, even if they have no claim
 */
public record ClaimSettings(Duration leaseTtl, Duration savedStateAge, List<String> watched) {

    public static final Duration DEFAULT_SAVED_STATE_AGE = Duration.ofDays(30);

    public ClaimSettings {
        watched = List.copyOf(watched);
    }

    /** Returns the default settings with this ttl. */
    public static ClaimSettings of(Duration leaseTtl, String... watched) {
        return new ClaimSettings(leaseTtl, DEFAULT_SAVED_STATE_AGE, List.of(watched));
    }
}
