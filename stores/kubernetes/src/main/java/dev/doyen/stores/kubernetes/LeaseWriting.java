package dev.doyen.stores.kubernetes;

import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.Optional;

/**
 * The Lease object that says what a record says (rules K1, K5 of docs/spec/kubernetes-lease.md). Pure. What it does not
 * know of an object (labels, others' annotations, finalizers, fields of later versions) it keeps.
 */
final class LeaseWriting {

    private LeaseWriting() {}

    /**
     * @param base what the server holds, if anything; its resource version is what the write compares with
     * @param mark another with each write
     */
    static JsonObject object(String name, Optional<LeaseObject> base, LeaseRecord next, String mark) {
        JsonObject old = base.map(LeaseObject::json).orElse(JsonObject.EMPTY);
        // A note into the lease of one who knows nothing of Doyen: it stays his in every field that he reads.
        boolean note = next.isHeld() && LeaseReading.isForeign(next);
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
            metadata = metadata.with(
                    "ownerReferences",
                    base.get().owners().stream()
                            .filter(owner -> !LeaseObject.isPod(owner))
                            .map(JsonObject::fields)
                            .toList());
        }
        JsonObject spec = old.at("spec");
        return old.with("apiVersion", "coordination.k8s.io/v1")
                .with("kind", "Lease")
                .with("metadata", metadata)
                .with("spec", note ? spec : spec(spec, next, transitions));
    }

    private static JsonObject spec(JsonObject old, LeaseRecord next, long transitions) {
        return old.with("holderIdentity", next.holder())
                .with("leaseDurationSeconds", next.isHeld() ? seconds(next) : 1)
                .with("acquireTime", LeaseObject.microTime(next.acquiredAt()))
                .with("renewTime", LeaseObject.microTime(next.renewedAt()))
                .with("leaseTransitions", transitions);
    }

    /** Rounded up: who waits a little longer does no harm. */
    private static long seconds(LeaseRecord next) {
        long seconds = next.ttl().plusMillis(999).toSeconds();
        return Math.max(1, Math.min(Integer.MAX_VALUE, seconds));
    }

    /** Somebody begins to lead: another holder, or the same in another term. */
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
