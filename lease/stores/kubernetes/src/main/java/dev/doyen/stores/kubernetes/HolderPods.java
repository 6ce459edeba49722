package dev.doyen.stores.kubernetes;

import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out whether the holder of a non-expiring lease is alive (rule K5).
 *
 * <p>Such a Lease has no duration, so it ends only with its holder's Pod. The Pod is the Lease's owner, or else the Pod
 * with the holder's name.
 *
 * <p>Threads: any.
 */
final class HolderPods {

    private final KubernetesApi api;
    private final boolean overtaking;
    private volatile boolean forbidden;

    /** @param overtaking false for an account that cannot take a Lease over. Every holder then counts as alive */
    HolderPods(KubernetesApi api, boolean overtaking) {
        this.api = api;
        this.overtaking = overtaking;
    }

    /** Returns whether the server has ever refused to show a Pod. Holders of such Pods count as alive forever. */
    boolean isForbidden() {
        return forbidden;
    }

    /** Returns whether the holder of an existing Lease is alive. */
    CompletableFuture<HolderPodStatus> status(LeaseObject lease) {
        return lease.isNonExpiring() && overtaking
                ? ask(lease)
                : CompletableFuture.completedFuture(HolderPodStatus.PRESENT);
    }

    CompletableFuture<HolderPodStatus> ask(LeaseObject lease) {
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
