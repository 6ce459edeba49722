package dev.doyen.injector.driver;

import dev.doyen.Election;
import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.stores.kubernetes.KubernetesLeaseStore;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Elects one replica of the injector, which then runs the controller.
 *
 * <p>The election is an ordinary election, whose Lease is in the injector's namespace. Two controllers at the same time
 * would cause no lasting damage. But the two controllers would watch every pod twice, and a slow controller could
 * restore an old label.
 *
 * <p>Threads: one thread, which campaigns, and runs the controller while this replica leads. After a failure, the
 * thread logs the failure and tries again in the next period.
 */
final class ElectedController implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ElectedController.class.getName());

    /** The timeout of a request for the Lease. It equals the default timeout of the Kubernetes store. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final KubernetesApi api;
    private final Cluster cluster;
    private final InjectorSettings.Control control;
    private final Duration checkInterval;
    private final RepeatedTask campaigning;

    ElectedController(KubernetesApi api, Cluster cluster, InjectorSettings.Control control, Duration checkInterval) {
        this.api = api;
        this.cluster = cluster;
        this.control = control;
        this.checkInterval = checkInterval;
        this.campaigning =
                new RepeatedTask("campaigning in election " + control.election(), checkInterval, this::campaign);
    }

    /** Stops campaigning. If this replica leads, it resigns, so that another replica takes over at once. */
    @Override
    public void close() {
        campaigning.close();
    }

    private void campaign() throws InterruptedException {
        try (var store = KubernetesLeaseStore.open(cluster, TIMEOUT);
                // The injector has its own shutdown hook, which also closes this election.
                var election = Election.lease(control.election())
                        .store(store)
                        .closeOnShutdown(false)
                        .open();
                var candidate = election.join(control.candidate())) {
            candidate.whileLeading(leadership -> {
                try (var controller =
                        new Controller(api, control.clusterRole(), control.leaderLabels(), checkInterval.toMillis())) {
                    LOG.log(Level.INFO, "this replica is the controller, in term " + leadership.term());
                    controller.workUntilInterrupted();
                }
            });
        }
    }
}
