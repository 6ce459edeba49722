package dev.doyen.sidecar;

import dev.doyen.elector.AdminAccess;
import dev.doyen.store.LeaseNotes;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The settings of a sidecar.
 *
 * @param election the name of the election in which the sidecar campaigns
 * @param id the id of the sidecar's candidate, which the app uses as its own name
 * @param ttl the time after which a silent leader is replaced
 * @param generation the generation of the sidecar's candidate (rule M8)
 * @param grace the time from the signal until the orchestrator kills this program
 * @param appPort the port on which the app accepts connections while it runs; empty if the sidecar checks no port
 * @param adminAccess the rule that decides which clients may send admin commands
 */
public record SidecarSettings(
        String election,
        String id,
        Duration ttl,
        long generation,
        Mode mode,
        Release release,
        Duration grace,
        OptionalInt appPort,
        AdminAccess adminAccess) {

    private static final Duration LEAST_GRACE = Duration.ofSeconds(2);
    private static final Duration MOST_GRACE = Duration.ofHours(1);
    private static final int MOST_PORT = 65_535;

    public SidecarSettings {
        if (generation < 0 || generation > LeaseNotes.MAX_GENERATION) {
            throw new IllegalArgumentException("--generation " + generation + " is out of bounds; give 0 to "
                    + LeaseNotes.MAX_GENERATION + ", such as the number of the build");
        }
        if (generation > 0 && mode == Mode.NON_EXPIRING) {
            throw new IllegalArgumentException("--generation " + generation + " has no effect in --mode non_expiring,"
                    + " because a leader never hands over there; leave out --generation, or choose --mode lease");
        }
        if (grace.compareTo(LEAST_GRACE) < 0 || grace.compareTo(MOST_GRACE) > 0) {
            throw new IllegalArgumentException("--grace " + grace.toMillis() + "ms is out of bounds; give 2s to 60m,"
                    + " as terminationGracePeriodSeconds does");
        }
        if (appPort.isPresent() && (appPort.getAsInt() < 1 || appPort.getAsInt() > MOST_PORT)) {
            throw new IllegalArgumentException(
                    "--app-port " + appPort.getAsInt() + " is not a port; give a number from 1 to " + MOST_PORT);
        }
    }
}
