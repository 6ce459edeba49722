package dev.doyen.sidecar;

import dev.doyen.elector.AdminAccess;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The settings of a sidecar.
 *
 * @param election the election to campaign in and to report
 * @param id the id of the sidecar's candidate, which the app knows as its own name
 * @param ttl the time after which a silent leader is replaced
 * @param grace the time from the signal to end until the orchestrator kills this program
 * @param appPort the port on which the app accepts connections while it runs; empty to check no port
 * @param adminAccess whose admin commands are accepted over HTTP
 */
public record SidecarSettings(
        String election,
        String id,
        Duration ttl,
        Mode mode,
        Release release,
        Duration grace,
        OptionalInt appPort,
        AdminAccess adminAccess) {

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
