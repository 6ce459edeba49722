package dev.doyen.stores.kubernetes;

import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Checks whether the holder of a non-expiring lease is alive (rule K5).
 *
 * <p>A non-expiring Lease has no duration, so the leadership ends only with the holder's Pod. The holder's Pod is the
 * Pod that owns the Lease. If no Pod owns the Lease, the holder's Pod is the Pod with the holder's name.
 *
 * <p>Threads: any.
 */
final class HolderPods {

    private final KubernetesApi api;
    private final boolean overtaking;
    private volatile boolean forbidden;

    /**
     * @param overtaking false for an account that cannot take over a Lease. In this case {@link #status} reports every
     *     holder as alive
     */
    HolderPods(KubernetesApi api, boolean overtaking) {
        this.api = api;
        this.overtaking = overtaking;
    }

    /**
     * Returns true if the server has refused at least once to return a Pod. A Pod that the server refuses to return
     * always counts as alive.
     */
    boolean isForbidden() {
        return forbidden;
    }

    /** Returns the status of the Pod that holds a non-expiring Lease. For every other Lease, the result is PRESENT. */
    CompletableFuture<HolderPodStatus> status(LeaseObject lease) {
        return lease.isNonExpiring() && overtaking
                ? requestStatus(lease)
                : CompletableFuture.completedFuture(HolderPodStatus.PRESENT);
    }

    CompletableFuture<HolderPodStatus> requestStatus(LeaseObject lease) {
        Optional<JsonObject> owner = lease.owningPod();
        String name = owner.flatMap(pod -> pod.text("name")).orElse(lease.holder());
        if (!LeaseObjectNames.isObjectName(name)) {
            return CompletableFuture.completedFuture(HolderPodStatus.PRESENT);
        }
        return api.pod(name).thenApply(answer -> judged(answer, owner.flatMap(pod -> pod.text("uid"))));
    }

    private HolderPodStatus judged(Answer answer, Optional<String> uid) {
        if (answer.is(404)) {
            return HolderPodStatus.GONE;
        }
        if (answer.is(403)) {
            forbidden = true;
            return HolderPodStatus.PRESENT;
        }
        if (!answer.is(200)) {
            throw answer.refusal("get", "pods", api.cluster().namespace());
        }
        JsonObject pod = answer.json();
        boolean another = uid.isPresent() && !pod.at("metadata").text("uid").equals(uid);
        String phase = pod.at("status").text("phase").orElse("");
        boolean over = phase.equals("Failed") || phase.equals("Succeeded");
        return another || over ? HolderPodStatus.GONE : HolderPodStatus.PRESENT;
    }
}
