package dev.doyen.stores.kubernetes;

import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether a leader for life still lives: its Lease has no duration, so nothing but the end of its Pod ends it. The Pod is
 * the one that the Lease belongs to, or else the one that is named like the holder.
 *
 * <p>Threads: any.
 */
final class HolderPods {

    private final KubernetesApi api;
    private final boolean overtaking;
    private volatile boolean forbidden;

    /** @param overtaking false for an account that could not take a Lease over anyway: its holder stands while it is there */
    HolderPods(KubernetesApi api, boolean overtaking) {
        this.api = api;
        this.overtaking = overtaking;
    }

    /** True once the account was refused a look at a Pod: such leaders are then believed to live for ever. */
    boolean isForbidden() {
        return forbidden;
    }

    /** Of the holder of a Lease that is there. */
    CompletableFuture<HolderLife> life(LeaseObject lease) {
        return lease.isForLife() && overtaking ? ask(lease) : CompletableFuture.completedFuture(HolderLife.STANDS);
    }

    CompletableFuture<HolderLife> ask(LeaseObject lease) {
        Optional<JsonObject> owner = lease.owningPod();
        String name = owner.flatMap(pod -> pod.text("name")).orElse(lease.holder());
        if (!LeaseObjectNames.isObjectName(name)) {
            return CompletableFuture.completedFuture(HolderLife.STANDS);
        }
        return api.pod(name).thenApply(answer -> judged(answer, owner.flatMap(pod -> pod.text("uid"))));
    }

    private HolderLife judged(Answer answer, Optional<String> uid) {
        if (answer.is(404)) {
            return HolderLife.GONE;
        }
        if (answer.is(403)) {
            forbidden = true;
            return HolderLife.STANDS;
        }
        if (!answer.is(200)) {
            throw answer.refusal("get", "pods", api.cluster().namespace());
        }
        JsonObject pod = answer.json();
        boolean another = uid.isPresent() && !pod.at("metadata").text("uid").equals(uid);
        String phase = pod.at("status").text("phase").orElse("");
        boolean over = phase.equals("Failed") || phase.equals("Succeeded");
        return another || over ? HolderLife.GONE : HolderLife.STANDS;
    }
}
