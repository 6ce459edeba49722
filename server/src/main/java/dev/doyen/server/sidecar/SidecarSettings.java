package dev.doyen.server.sidecar;

import dev.doyen.elector.Orders;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a sidecar is told once.
 *
 * @param election the election to stand in, and to speak for
 * @param id the own candidate's: the name that the app knows itself by
 * @param ttl how soon a silent leader is replaced
 * @param grace from being told to end to being killed, as the orchestrator has it
 * @param appPort where the app takes connections while it runs; empty if that tells nothing
 * @param orders from whom orders are taken over HTTP
 */
public record SidecarSettings(
        String election,
        String id,
        Duration ttl,
        Mode mode,
        Release release,
        Duration grace,
        OptionalInt appPort,
        Orders orders) {

    private static final Duration LEAST_GRACE = Duration.ofSeconds(2);
    private static final Duration MOST_GRACE = Duration.ofHours(1);
    private static final int MOST_PORT = 65_535;

    public SidecarSettings {
        if (grace.compareTo(LEAST_GRACE) < 0 || grace.compareTo(MOST_GRACE) > 0) {
            throw new IllegalArgumentException("--grace " + grace.toMillis()
                    + "ms is out of bounds; say from 2s to 60m," + " as terminationGracePeriodSeconds does");
        }
        if (appPort.isPresent() && (appPort.getAsInt() < 1 || appPort.getAsInt() > MOST_PORT)) {
            throw new IllegalArgumentException(
                    "--app-port " + appPort.getAsInt() + " is no port; say one from 1 to " + MOST_PORT);
        }
    }
}
