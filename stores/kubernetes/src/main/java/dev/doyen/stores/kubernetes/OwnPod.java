package dev.doyen.stores.kubernetes;

import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The Pod this process runs in, as an owner of Leases: the garbage collector deletes what belongs to it once it is deleted
 * itself. Asked for until the server has answered, and then known.
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

    /** Empty if it was not named, is not there, or may not be looked at. Fails only if the server cannot be asked. */
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

    /** Whether it is there still, and stays: what is made for a Pod that is being deleted is soon collected. */
    CompletableFuture<Boolean> stays() {
        return api.pod(name.orElseThrow()).thenApply(answer -> {
            JsonObject metadata = answer.is(200) ? answer.json().at("metadata") : JsonObject.EMPTY;
            return isUid(metadata.text("uid"))
                    && metadata.text("deletionTimestamp").isEmpty();
        });
    }

    /** True for a Lease for life of this Pod's; one that was given back may belong to it too, and is anybody's. */
    boolean leadsBy(LeaseObject lease) {
        return lease.isForLife()
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
