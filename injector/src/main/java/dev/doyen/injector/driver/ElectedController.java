package dev.doyen.injector.driver;

import dev.doyen.Election;
import dev.doyen.stores.kubernetes.KubernetesLeaseStore;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Of all replicas of the injector one is the controller: the leader of an election like any other, whose Lease lies beside
 * them. Two at once would do no harm that lasts, but would follow every pod twice, and a slow one could put a label back.
 *
 * <p>Threads: one that stands, and works while it leads. What goes wrong is logged, and tried again at the next beat.
 */
final class ElectedController implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ElectedController.class.getName());

    /** Of a request for the Lease; as the store's own default. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final KubernetesApi api;
    private final Cluster cluster;
    private final InjectorSettings.Control control;
    private final Duration beat;
    private final Beat standing;

    ElectedController(KubernetesApi api, Cluster cluster, InjectorSettings.Control control, Duration beat) {
        this.api = api;
        this.cluster = cluster;
        this.control = control;
        this.beat = beat;
        this.standing = new Beat("standing for election " + control.election(), beat, this::stand);
    }

    /** Gives the lease back, so that another replica goes on at once. */
    @Override
    public void close() {
        standing.close();
    }

    private void stand() throws InterruptedException {
        try (var store = KubernetesLeaseStore.open(cluster, TIMEOUT);
                var election = Election.lease(control.election()).store(store).open();
                var candidate = election.join(control.candidate())) {
            candidate.whileLeading(leadership -> {
                try (var controller = new Controller(api, control.clusterRole(), beat.toMillis())) {
                    LOG.log(Level.INFO, "this replica is the controller, in term " + leadership.term());
                    controller.workUntilInterrupted();
                }
            });
        }
    }
}
