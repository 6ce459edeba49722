package dev.doyen.group.process;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.http.ListenAddress;
import java.util.Optional;

/**
 * The settings of a process that runs an election over a membership.
 *
 * @param election the election to campaign in and to report
 * @param electionSettings the settings of the ring
 * @param cluster how to find the other members
 * @param priority 0 to 100
 * @param http the address of the elector API
 * @param probes the address of the probes
 * @param adminAccess whose admin commands are accepted over HTTP
 */
public record MemberSettings(
        String election,
        RingElectionSettings electionSettings,
        ClusterSettings cluster,
        int priority,
        Optional<HealthCheck> health,
        ListenAddress http,
        ListenAddress probes,
        AdminAccess adminAccess) {

    /** Rejects invalid settings before any port is opened. */
    public MemberSettings {
        var settings = new MemberElection(electionSettings).settings(election, priority);
        health.ifPresent(settings::health);
        electionSettings.check(cluster);
    }
}
