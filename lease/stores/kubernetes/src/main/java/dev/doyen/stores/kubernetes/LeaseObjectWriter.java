package dev.doyen.stores.kubernetes;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Converts a lease record to a Lease object, by rules K1 and K6 to K8. The conversion has no side effects.
 *
 * <p>The rules are in docs/spec/kubernetes-lease.md. The conversion does not change other parts of the object: labels,
 * annotations of other programs, finalizers and fields of later versions.
 */
final class LeaseObjectWriter {

    private LeaseObjectWriter() {}

    /**
     * Returns the object to write.
     *
     * @param base the existing Lease as the server returned it; empty if the Lease does not exist. The write
     *     succeeds only if the Lease still has the resource version of {@code base}
     * @param ownPod the Pod of this process, in the form of an owner reference; empty if it is unknown
     * @param mark a value that is new for each write
     */
    static JsonObject object(
            String name, Optional<LeaseObject> base, LeaseRecord next, Optional<JsonObject> ownPod, String mark) {
        JsonObject old = base.map(LeaseObject::json).orElse(JsonObject.EMPTY);
        // If another elector holds the lease, or if the lease is non-expiring, a write changes only the annotations. So
        // the write does not affect the holder.
        boolean note = next.isHeld() && (LeaseObjectReader.isForeign(next) || next.isNonExpiring());
        long transitions = base.map(LeaseObject::transitions).orElse(0L);
        if (!note && base.isPresent() && isNewTerm(base.get(), next)) {
            transitions = Math.min(Integer.MAX_VALUE, transitions + 1);
        }
        JsonObject metadata = old.at("metadata").without("managedFields").with("name", name);
        metadata = metadata.with(
                "annotations",
                metadata.at("annotations")
                        .with(LeaseObject.RECORD, LeaseRecordText.write(next))
                        .with(LeaseObject.TRANSITIONS, Long.toString(transitions))
                        .with(LeaseObject.WRITE, mark));
        if (!note && base.isPresent()) {
            Stream<JsonObject> others = base.get().owners().stream().filter(owner -> !LeaseObject.isPod(owner));
            Stream<JsonObject> own = mayGoWithPod(next) ? ownPod.stream() : Stream.empty();
            metadata = metadata.with(
                    "ownerReferences",
                    Stream.concat(others, own).map(JsonObject::fields).toList());
        }
        JsonObject spec = old.at("spec");
        return old.with("apiVersion", "coordination.k8s.io/v1")
                .with("kind", "Lease")
                .with("metadata", metadata)
                .with("spec", note ? spec : spec(spec, next, transitions));
    }

    /**
     * Returns a non-expiring Lease in the form of the NAIS elector. In addition, the Lease contains the record (rule
     * K8).
     *
     * @param pod the Lease's owner. Kubernetes deletes the Lease with this Pod
     */
    static JsonObject nonExpiring(String name, LeaseRecord next, JsonObject pod, String mark) {
        return JsonObject.EMPTY
                .with("apiVersion", "coordination.k8s.io/v1")
                .with("kind", "Lease")
                .with(
                        "metadata",
                        JsonObject.EMPTY
                                .with("name", name)
                                .with("ownerReferences", List.of(pod.fields()))
                                .with(
                                        "annotations",
                                        JsonObject.EMPTY
                                                .with(LeaseObject.RECORD, LeaseRecordText.write(next))
                                                .with(LeaseObject.TRANSITIONS, "0")
                                                .with(LeaseObject.WRITE, mark)))
                .with(
                        "spec",
                        JsonObject.EMPTY
                                .with("holderIdentity", next.holder())
                                .with("acquireTime", LeaseObject.microTime(next.acquiredAt())));
    }

    /**
     * Returns true if the Lease may be deleted with its Pod (rule K7). Such a Lease is released and contains neither a
     * saved state nor a pause.
     */
    private static boolean mayGoWithPod(LeaseRecord next) {
        return !next.isHeld()
                && next.state().equals(SavedState.EMPTY)
                && next.notes().pause().isEmpty();
    }

    private static JsonObject spec(JsonObject old, LeaseRecord next, long transitions) {
        return old.with("holderIdentity", next.holder())
                .with("leaseDurationSeconds", next.isHeld() ? seconds(next) : 1)
                .with("acquireTime", LeaseObject.microTime(next.acquiredAt()))
                .with("renewTime", LeaseObject.microTime(next.renewedAt()))
                .with("leaseTransitions", transitions);
    }

    /** Returns the ttl in seconds, rounded up, because a longer wait is safe. */
    private static long seconds(LeaseRecord next) {
        long seconds = next.ttl().plusMillis(999).toSeconds();
        return Math.max(1, Math.min(Integer.MAX_VALUE, seconds));
    }

    /** Returns true if the write begins a new leadership: the holder or the term changes. */
    private static boolean isNewTerm(LeaseObject base, LeaseRecord next) {
        if (!next.isHeld()) {
            return false;
        }
        boolean sameTerm = base.annotation(LeaseObject.RECORD)
                .filter(text -> text.contains("\nterm: " + next.term() + "\n"))
                .isPresent();
        return !sameTerm || !base.holder().equals(next.holder());
    }
}
