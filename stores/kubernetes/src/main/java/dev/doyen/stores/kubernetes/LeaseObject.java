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
 * A Lease of {@code coordination.k8s.io/v1}, as the API server shows it.
 *
 * @param json all of it
 */
record LeaseObject(JsonObject json) {

    /** The whole record, as {@link dev.doyen.store.LeaseRecordText}. */
    static final String RECORD = "doyen.dev/record";

    /** {@code spec.leaseTransitions} when the record was written. */
    static final String TRANSITIONS = "doyen.dev/transitions";

    /** Another with each write: a write that changed nothing would leave the resource version as it was. */
    static final String WRITE = "doyen.dev/write";

    /** Kubernetes' MicroTime: it refuses any other number of digits. */
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    String name() {
        return metadata().text("name").orElse("");
    }

    String resourceVersion() {
        return metadata().text("resourceVersion").orElse("");
    }

    /** The resource version as the number it is in every server whose store is etcd; officially so since KEP-5504. */
    long revision() {
        return revision(resourceVersion());
    }

    /** Throws {@link StoreUnavailableException} if it is none: terms could not be kept from starting again. */
    static long revision(String resourceVersion) {
        if (!resourceVersion.matches("[0-9]{1,18}")) {
            throw new StoreUnavailableException("the API server's resource version \"" + resourceVersion
                    + "\" is no number, so terms would not survive a deletion; use another store");
        }
        return Long.parseLong(resourceVersion);
    }

    /** Empty if nobody holds it. */
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

    /** The Pod whose end is to remove this Lease, if it belongs to one. */
    Optional<JsonObject> owningPod() {
        return owners().stream().filter(LeaseObject::isPod).findFirst();
    }

    static boolean isPod(JsonObject owner) {
        return owner.text("kind").orElse("").equals("Pod");
    }

    /** Without a duration nobody renews it: its holder means to lead until its Pod is gone. */
    boolean isForLife() {
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
