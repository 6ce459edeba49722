package dev.doyen.stores.kubernetes;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A Lease of {@code coordination.k8s.io/v1}, as the API server returns it.
 *
 * @param json the whole object, including fields that Doyen does not use
 */
record LeaseObject(JsonObject json) {

    /** The annotation with the whole record as text; see {@link dev.doyen.store.LeaseRecordText}. */
    static final String RECORD = "doyen.dev/record";

    /** The annotation with the value of {@code spec.leaseTransitions} at the time when the record was written. */
    static final String TRANSITIONS = "doyen.dev/transitions";

    /**
     * The annotation that contains a new value for each write. Without this annotation, a write that changes nothing
     * else would not change the resource version.
     */
    static final String WRITE = "doyen.dev/write";

    /** The format of Kubernetes' MicroTime, which requires exactly six digits after the second. */
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    String name() {
        return metadata().text("name").orElse("");
    }

    String resourceVersion() {
        return metadata().text("resourceVersion").orElse("");
    }

    /**
     * Returns the resource version as a number.
     *
     * <p>Resource versions are numbers on every server that uses etcd. Since KEP-5504 Kubernetes guarantees that they
     * are numbers.
     */
    long revision() {
        return revision(resourceVersion());
    }

    /**
     * Parses a resource version.
     *
     * @throws StoreUnavailableException if the version is not a number, because terms could then start again after a
     *     deletion
     */
    static long revision(String resourceVersion) {
        if (!resourceVersion.matches("[0-9]{1,18}")) {
            throw new StoreUnavailableException("the API server's resource version \"" + resourceVersion
                    + "\" is not a number, so terms would be lost with a deleted Lease; use another store");
        }
        return Long.parseLong(resourceVersion);
    }

    /** Returns the holder's identity, or an empty text if the object names no holder. */
    String holder() {
        return spec().text("holderIdentity").orElse("");
    }

    OptionalLong durationSeconds() {
        return spec().number("leaseDurationSeconds");
    }

    long transitions() {
        return spec().number("leaseTransitions").orElse(0);
    }

    Optional<Instant> acquireTime() {
        return time("acquireTime");
    }

    Optional<Instant> renewTime() {
        return time("renewTime");
    }

    Optional<String> annotation(String name) {
        return metadata().at("annotations").text(name);
    }

    List<JsonObject> owners() {
        return metadata().objects("ownerReferences");
    }

    /**
     * Returns the Pod that owns this Lease, or empty if no Pod owns it. Kubernetes deletes the Lease after it has
     * deleted that Pod, unless another owner of the Lease still exists.
     */
    Optional<JsonObject> owningPod() {
        return owners().stream().filter(LeaseObject::isPod).findFirst();
    }

    static boolean isPod(JsonObject owner) {
        return owner.text("kind").orElse("").equals("Pod");
    }

    /**
     * Returns true if this is a non-expiring lease, whose holder leads until its Pod ends.
     *
     * <p>Such a Lease has no duration, and its holder does not renew it.
     */
    boolean isNonExpiring() {
        return !holder().isEmpty() && durationSeconds().isEmpty();
    }

    JsonObject metadata() {
        return json.at("metadata");
    }

    JsonObject spec() {
        return json.at("spec");
    }

    static String microTime(Instant time) {
        return MICRO_TIME.format(time);
    }

    private Optional<Instant> time(String name) {
        return spec().text(name).flatMap(text -> {
            try {
                return Optional.of(OffsetDateTime.parse(text).toInstant());
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        });
    }
}
