package dev.doyen.injector.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Marks;
import dev.doyen.injector.controller.Account;
import dev.doyen.injector.controller.ClusterView;
import dev.doyen.injector.controller.LeaderMove;
import dev.doyen.log.FaultLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Creates the RoleBindings of injected pods, and moves the leader's label.
 *
 * <p>One replica runs the controller at a time. {@link ElectedController} elects that replica. After another replica
 * has been elected, the old controller can run for a moment together with the new controller. This causes no lasting
 * damage. The API server rejects a second RoleBinding of the same name. The new controller detects and removes a wrong
 * label.
 *
 * <p>Threads: one thread, which also waits for the answers of the API server. The controller has one watch for all
 * injected pods. If the controller labels leaders, it also has one watch for the Leases of each namespace with such
 * pods, for at most 1,000 namespaces.
 */
final class Controller implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Controller.class.getName());
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String OURS = "doyen-injector";
    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    /**
     * The maximum time for which {@link #close} waits for the current task of the thread. After this time, {@link
     * #close} interrupts the task.
     */
    private static final int STOP_SECONDS = 3;

    private static final int BINDINGS_SECONDS = 60;
    private static final int MAX_NAMESPACES = 1_000;
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final KubernetesApi api;
    private final String clusterRole;
    private final boolean leaderLabels;
    private final long againMillis;
    private final ClusterView view = new ClusterView();
    private final Map<String, Follower> leases = new HashMap<>();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        var made = new Thread(task, "doyen-controller");
        made.setDaemon(true);
        return made;
    });
    private final CombinedTask binding;
    private final CombinedTask labelling;
    private final Follower pods;
    private volatile boolean closed;
    private final FaultLog faults = new FaultLog(LOG);
    private boolean warnedTooMany;

    /** @param againMillis the delay after a failed attempt, in milliseconds */
    Controller(KubernetesApi api, String clusterRole, boolean leaderLabels, long againMillis) {
        this.api = api;
        this.clusterRole = clusterRole;
        this.leaderLabels = leaderLabels;
        this.againMillis = againMillis;
        this.binding = new CombinedTask(thread, againMillis, this::bind);
        this.labelling = new CombinedTask(thread, againMillis, this::label);
        this.pods = new Follower(
                api,
                thread,
                "/api/v1/pods",
                "&labelSelector=" + Marks.INJECT + "%3Dtrue",
                againMillis,
                new PodAudience());
    }

    @Override
    public void close() {
        closed = true;
        thread.execute(() -> {
            pods.close();
            leases.values().forEach(Follower::close);
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the controller on its own thread, and blocks until the caller's thread is interrupted. */
    void workUntilInterrupted() throws InterruptedException {
        thread.scheduleWithFixedDelay(this::listBindings, 0, BINDINGS_SECONDS, TimeUnit.SECONDS);
        thread.execute(pods::follow);
        new CountDownLatch(1).await();
    }

    private void listBindings() {
        try {
            var selection = "?labelSelector=" + MANAGED_BY + "%3D" + OURS;
            view.bindingsAre(api.get(RBAC + "/rolebindings" + selection)
                    .expect("listing RoleBindings", OK)
                    .path("items"));
            binding.call();
            faults.works("");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // No exception may leave this task, because a scheduler never repeats a task that has thrown.
            faults.survives("a line of the log", () -> complain(e));
        }
    }

    private void complain(Throwable fault) {
        if (faults.isNew("", fault)) {
            LOG.log(
                    Level.WARNING,
                    fault.getMessage() + "; the next attempt follows every " + BINDINGS_SECONDS + " s",
                    fault);
        }
    }

    private void bind() throws IOException, InterruptedException {
        forEach(view.unbound(), this::bind);
    }

    private void bind(Account account) throws IOException, InterruptedException {
        var answer = api.post(RBAC + "/namespaces/" + account.namespace() + "/rolebindings", roleBinding(account));
        answer.expect(
                "giving service account " + account.namespace() + "/" + account.name() + " ClusterRole " + clusterRole,
                CREATED,
                CONFLICT);
        view.bound(account);
        if (answer.status() == CREATED) {
            LOG.log(Level.INFO, "service account " + account.namespace() + "/" + account.name() + " may elect");
        }
    }

    /**
     * Carries out a step for each item, until {@link #close}.
     *
     * <p>If the API server rejects a step, the method still carries out the following steps. At the end it throws the
     * first rejection. Any other failure ends the method at once, because without an answer each further step would
     * only wait for its timeout.
     */
    private <T> void forEach(List<T> items, Step<T> step) throws IOException, InterruptedException {
        var rejections = new ArrayList<KubernetesApi.RejectedException>();
        for (var item : items) {
            if (closed) {
                return;
            }
            try {
                step.carryOut(item);
            } catch (KubernetesApi.RejectedException e) {
                rejections.add(e);
            }
        }
        if (!rejections.isEmpty()) {
            throw rejections.get(0);
        }
    }

    private interface Step<T> {
        void carryOut(T item) throws IOException, InterruptedException;
    }

    private ObjectNode roleBinding(Account account) {
        var made = JsonNodeFactory.instance.objectNode();
        made.put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", "RoleBinding");
        made.putObject("metadata")
                .put("name", account.bindingName())
                .putObject("labels")
                .put(MANAGED_BY, OURS);
        made.putObject("roleRef")
                .put("apiGroup", "rbac.authorization.k8s.io")
                .put("kind", "ClusterRole")
                .put("name", clusterRole);
        made.putArray("subjects")
                .addObject()
                .put("kind", "ServiceAccount")
                .put("name", account.name())
                .put("namespace", account.namespace());
        return made;
    }

    private void label() throws IOException, InterruptedException {
        forEach(view.moves(), this::label);
    }

    private void label(LeaderMove move) throws IOException, InterruptedException {
        for (var pod : move.clear()) {
            mark(move, pod, JsonNodeFactory.instance.nullNode());
        }
        if (move.label().isPresent()) {
            mark(move, move.label().get(), JsonNodeFactory.instance.textNode("true"));
            LOG.log(
                    Level.INFO,
                    "election=" + move.namespace() + "/" + move.election() + " leader="
                            + move.label().get());
        }
    }

    private void mark(LeaderMove move, String pod, JsonNode label) throws IOException, InterruptedException {
        var patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").putObject("labels").set(Marks.LEADER, label);
        var answer =
                api.patch("/api/v1/namespaces/" + move.namespace() + "/pods/" + pod, KubernetesApi.MERGE_PATCH, patch);
        answer.expect("labelling pod " + move.namespace() + "/" + pod, OK, NOT_FOUND);
        if (answer.status() == OK) {
            // Update the view now. Otherwise the controller could send the same change again before the watch delivers
            // it.
            view.podChanged("MODIFIED", answer.body());
        }
    }

    /** Watches the Leases in the namespaces of injected pods, for at most {@value #MAX_NAMESPACES} namespaces. */
    private void followLeases() {
        var namespaces = view.namespaces();
        leases.entrySet().removeIf(each -> {
            boolean over = !namespaces.contains(each.getKey());
            if (over) {
                each.getValue().close();
                view.leasesUnknown(each.getKey());
            }
            return over;
        });
        for (var namespace : namespaces) {
            if (leases.containsKey(namespace)) {
                continue;
            }
            if (leases.size() >= MAX_NAMESPACES) {
                warnTooMany();
                return;
            }
            var follower = new Follower(
                    api,
                    thread,
                    "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases",
                    "",
                    againMillis,
                    new LeaseAudience(namespace));
            leases.put(namespace, follower);
            thread.execute(follower::follow);
        }
    }

    private void warnTooMany() {
        if (!warnedTooMany) {
            warnedTooMany = true;
            LOG.log(
                    Level.WARNING,
                    "more than " + MAX_NAMESPACES + " namespaces have pods that elect; in the others, leaders are not"
                            + " labelled");
        }
    }

    private final class PodAudience implements Follower.Audience {
        @Override
        public void all(List<JsonNode> items) {
            view.podsAre(items);
            changed();
        }

        @Override
        public void changed(String change, JsonNode item) {
            view.podChanged(change, item);
            changed();
        }

        private void changed() {
            binding.call();
            if (leaderLabels) {
                followLeases();
                labelling.call();
            }
        }
    }

    private final class LeaseAudience implements Follower.Audience {
        private final String namespace;

        LeaseAudience(String namespace) {
            this.namespace = namespace;
        }

        @Override
        public void all(List<JsonNode> items) {
            view.leasesAre(namespace, items);
            labelling.call();
        }

        @Override
        public void changed(String change, JsonNode item) {
            view.leaseChanged(namespace, change, item);
            labelling.call();
        }
    }
}
