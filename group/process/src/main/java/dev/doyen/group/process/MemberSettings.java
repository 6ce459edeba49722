package dev.doyen.group.process;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.TlsSettings;
import java.util.Optional;

/**
 * The settings of a process that runs an election over a membership.
 *
 * @param election the name of the election in which the process campaigns
 * @param electionSettings the settings of the ring
 * @param cluster the settings of the cluster, such as the discovery of other members
 * @param priority the priority, 0 to 100
 * @param health the health check; empty if the candidate always counts as healthy
 * @param http the address of the elector API
 * @param probes the address of the probes
 * @param adminAccess the rule that decides which requests may send admin commands
 * @param tls the TLS of the elector API and the probes; the process closes it
 * @param audit the log of the admin commands; the process closes it
 */
public record MemberSettings(
        String election,
        RingElectionSettings electionSettings,
        ClusterSettings cluster,
        int priority,
        Optional<HealthCheck> health,
        ListenAddress http,
        ListenAddress probes,
        AdminAccess adminAccess,
        TlsSettings tls,
        AuditLog audit) {

    /** Rejects invalid settings before any port is opened. */
    public MemberSettings {
        var settings = new MemberElection(electionSettings).settings(election, priority);
        health.ifPresent(settings::health);
        electionSettings.check(cluster);
    }
}
