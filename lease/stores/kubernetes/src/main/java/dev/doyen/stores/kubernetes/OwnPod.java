package dev.doyen.stores.kubernetes;

import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The Pod of this process, as the owner of Leases.
 *
 * <p>If the Pod is deleted, Kubernetes' garbage collector deletes the Leases that the Pod owns. {@link #reference}
 * requests the Pod until the server has returned the Pod once. Later calls return the cached owner reference.
 *
 * <p>Threads: any.
 */
final class OwnPod {

    private final KubernetesApi api;
    private final Optional<String> name;
    private volatile Optional<JsonObject> known = Optional.empty();

    OwnPod(KubernetesApi api, Optional<String> name) {
        this.api = api;
        this.name = name;
    }

    /**
     * Returns the owner reference to this Pod.
     *
     * <p>The result is empty if the URL names no Pod, or if the server does not return the Pod. For example, the Pod
     * does not exist, or the account may not read the Pod. The future fails if the server does not answer, or if the
     * answer is not valid JSON.
     */
    CompletableFuture<Optional<JsonObject>> reference() {
        if (name.isEmpty() || known.isPresent()) {
            return CompletableFuture.completedFuture(known);
        }
        return api.pod(name.get()).thenApply(answer -> {
            if (answer.is(200)) {
                known = answer.json().at("metadata").text("uid").map(uid -> owner(name.get(), uid));
            }
            return known;
        });
    }

    /**
     * Returns true if the Pod exists and is not being deleted.
     *
     * <p>The result is false if another Pod has replaced this Pod under the same name, or if the server does not return
     * the Pod. A Lease of a Pod that is being deleted would not last, because Kubernetes soon deletes the objects that
     * such a Pod owns.
     */
    CompletableFuture<Boolean> stays() {
        return api.pod(name.orElseThrow()).thenApply(answer -> {
            JsonObject metadata = answer.is(200) ? answer.json().at("metadata") : JsonObject.EMPTY;
            return isUid(metadata.text("uid"))
                    && metadata.text("deletionTimestamp").isEmpty();
        });
    }

    /**
     * Returns true if this Pod holds the Lease as a non-expiring lease.
     *
     * <p>A released Lease can also have this Pod as its owner. The result is then false, because every candidate may
     * acquire a released Lease.
     */
    boolean leadsBy(LeaseObject lease) {
        return lease.isNonExpiring()
                && lease.owningPod().filter(owner -> isUid(owner.text("uid"))).isPresent();
    }

    private boolean isUid(Optional<String> uid) {
        return uid.isPresent() && known.flatMap(own -> own.text("uid")).equals(uid);
    }

    private static JsonObject owner(String name, String uid) {
        return JsonObject.EMPTY
                .with("apiVersion", "v1")
                .with("kind", "Pod")
                .with("name", name)
                .with("uid", uid);
    }
}
