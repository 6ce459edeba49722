package dev.doyen.stores.kubernetes;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.text.ElectionNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/**
 * Converts a Lease object to a lease record, by rules K1 to K8 of docs/spec/kubernetes-lease.md. The conversion has no
 * side effects.
 *
 * <p>An annotation contains the whole record as Doyen wrote it. Other electors (client-go, fabric8) and kubectl write
 * the spec and leave the annotation unchanged. If the spec and the annotation differ, the spec applies. In this case
 * the annotation is out of date: it contains the last record that Doyen wrote.
 */
final class LeaseObjectReader {

    /** The beginning of a holder's incarnation if the holder is not a candidate of Doyen. */
    private static final String FOREIGN = "~foreign";

    private static final String GONE = "/gone";

    private LeaseObjectReader() {}

    /**
     * @param status the status of the holder's Pod; used only for a non-expiring lease
     */
    static VersionedLease lease(String election, LeaseObject object, HolderPodStatus status) {
        Optional<LeaseRecord> annotated = object.annotation(LeaseObject.RECORD)
                .map(text -> LeaseRecordText.readStored("the Lease " + object.name(), election, text));
        LeaseVersion version = new LeaseVersion(object.resourceVersion());
        boolean gone = object.isNonExpiring() && status == HolderPodStatus.GONE;
        if (!gone && annotated.filter(record -> isCurrent(record, object)).isPresent()) {
            return new VersionedLease(version, annotated, 0);
        }
        if (gone) {
            // The object has not changed, but the lease has become free. Candidates detect this only if the version
            // changes.
            version = new LeaseVersion(version.value() + GONE);
        }
        boolean held = !gone && !object.holder().isEmpty();
        LeaseRecord record = foreign(election, object, annotated, held);
        return new VersionedLease(version, Optional.of(record), annotated.isPresent() ? 0 : object.revision());
    }

    /** Returns the resource version that a write over this version of the lease must expect. */
    static String resourceVersion(LeaseVersion version) {
        String text = version.value();
        return text.endsWith(GONE) ? text.substring(0, text.length() - GONE.length()) : text;
    }

    /** Returns true if the holder is not a candidate of Doyen. */
    static boolean isForeign(LeaseRecord record) {
        return record.incarnation().startsWith(FOREIGN);
    }

    /** Returns true if the record in the annotation is up to date (rule K2). */
    private static boolean isCurrent(LeaseRecord record, LeaseObject object) {
        return !isForeign(record)
                && object.holder().equals(record.holder())
                && object.isNonExpiring() == (record.isHeld() && record.isNonExpiring())
                && (object.isNonExpiring() || isRenewedAt(object, record.renewedAt()))
                && object.annotation(LeaseObject.TRANSITIONS)
                        .filter(Long.toString(object.transitions())::equals)
                        .isPresent();
    }

    private static boolean isRenewedAt(LeaseObject object, Instant time) {
        return object.renewTime().equals(Optional.of(time.truncatedTo(ChronoUnit.MICROS)));
    }

    private static LeaseRecord foreign(
            String election, LeaseObject object, Optional<LeaseRecord> annotated, boolean held) {
        Duration ttl = object.isNonExpiring()
                ? LeaseRecord.NON_EXPIRING_TTL
                : Duration.ofSeconds(Math.max(1, object.durationSeconds().orElse(1)));
        return new LeaseRecord(
                election,
                held ? holder(object.holder()) : "",
                held ? incarnation(object) : "",
                term(object, annotated, held),
                "resource-version-" + object.resourceVersion(),
                ttl,
                object.acquireTime().orElse(Instant.EPOCH),
                object.renewTime().or(object::acquireTime).orElse(Instant.EPOCH),
                annotated.map(LeaseRecord::state).orElse(SavedState.EMPTY),
                annotated.map(LeaseRecord::stateVersion).orElse(0L),
                Optional.empty(),
                annotated.map(LeaseRecord::notes).orElse(LeaseNotes.NONE));
    }

    /**
     * Returns the term by the rules K3 and K4. The term is at most the resource version, because each change of the
     * holder was a write, and each write raised the resource version.
     */
    private static long term(LeaseObject object, Optional<LeaseRecord> annotated, boolean held) {
        long revision = object.revision();
        if (annotated.isEmpty()) {
            // The resource version is the term of a free Lease without an annotation. The term of a held Lease counts
            // the changes of its holder, because each renewal raises the resource version but must not raise the term.
            return held ? Math.max(1, Math.min(object.transitions() + 1, revision)) : Math.max(1, revision);
        }
        LeaseRecord known = annotated.get();
        long counted = Math.max(0, object.transitions() - transitions(object));
        boolean sameHolder = isForeign(known) && known.holder().equals(holder(object.holder()));
        long least = held && !sameHolder ? 1 : 0;
        long changes = Math.max(least, counted);
        return Math.max(known.term() + least, Math.min(known.term() + changes, revision));
    }

    private static long transitions(LeaseObject object) {
        return object.annotation(LeaseObject.TRANSITIONS)
                .filter(text -> text.matches("[0-9]{1,10}"))
                .map(Long::parseLong)
                .orElse(object.transitions());
    }

    /**
     * Returns the holder's name, or a valid replacement if Doyen does not accept the name. The replacement ensures that
     * the Lease still has a holder. Different names have different replacements.
     */
    private static String holder(String identity) {
        try {
            return ElectionNames.check("holder", identity);
        } catch (IllegalArgumentException e) {
            return "holder-" + UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String incarnation(LeaseObject object) {
        return FOREIGN
                + object.owningPod()
                        .flatMap(pod -> pod.text("uid"))
                        .map(uid -> "/" + uid)
                        .orElse("");
    }
}
