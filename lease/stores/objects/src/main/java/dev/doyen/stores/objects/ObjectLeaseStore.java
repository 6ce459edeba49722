package dev.doyen.stores.objects;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.probe.StoreProbe;
import dev.doyen.store.probe.StoreReport;
import dev.doyen.store.support.LeaseFileNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Stores leases as objects, one per election, with conditional writes.
 *
 * <p>Each write puts an extra line before the record: {@code write: } and a random UUID, which identifies the write. So
 * the content of each write is unique. The tag depends on the content, so each write gives the object a tag that never
 * occurred before. A proxy can send a write twice. The service then refuses the second copy. If the object contains the
 * UUID of a refused write, an earlier copy of that write has succeeded.
 */
public final class ObjectLeaseStore implements LeaseStore {

    private static final String SUFFIX = ".lease";
    private static final String WRITE = "write: ";
    private static final int MAX_BYTES = 256 * 1024;

    private final ConditionalObjects objects;
    private final String prefix;
    private final LeaseStore.Promises promises;
    private final SideBySide sideBySide = new SideBySide("doyen-objects");

    private ObjectLeaseStore(ConditionalObjects objects, String prefix, LeaseStore.Promises promises) {
        this.objects = objects;
        this.prefix = prefix;
        this.promises = promises;
    }

    /**
     * Opens the store after a check that the service honours conditional writes.
     *
     * @param objects the object store, which is closed with this store, or at once if the check fails
     * @param prefix the beginning of all keys
     * @throws StoreUnavailableException if the service does not answer, or accepts a write that it must refuse
     */
    public static ObjectLeaseStore open(ConditionalObjects objects, String prefix, LeaseStore.Promises promises) {
        check(objects, prefix, promises);
        return new ObjectLeaseStore(objects, prefix, promises);
    }

    /**
     * Checks that the service honours conditional writes. {@link #open} makes the same check. The method closes
     * {@code objects} only if the check fails.
     */
    public static void check(ConditionalObjects objects, String prefix, LeaseStore.Promises promises) {
        try {
            StoreReport report = StoreProbe.brief(new ObjectLeaseStore(objects, prefix, promises));
            if (!report.conforms()) {
                throw new StoreUnavailableException("this service cannot store leases: "
                        + String.join("; ", report.faults()) + "; use a service that honours conditional writes");
            }
        } catch (RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    @Override
    public VersionedLease read(String election) {
        return found(election).lease();
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        String mark = UUID.randomUUID().toString();
        var content = ObjectContent.ofText(WRITE + mark + "\n" + LeaseRecordText.write(next));
        Optional<String> ifTag = expected.isAbsent() ? Optional.empty() : Optional.of(expected.value());
        PutOutcome outcome = objects.put(key(election), content, ifTag);
        if (outcome instanceof PutOutcome.Stored stored) {
            return new CasOutcome.Written(new LeaseVersion(stored.tag()));
        }
        if (outcome instanceof PutOutcome.Unknown unknown) {
            return new CasOutcome.Unknown(
                    "it is unknown whether the lease of \"" + election + "\" was written: " + unknown.reason(),
                    unknown.lacksRight());
        }
        return refused(election, expected, mark, ((PutOutcome.Refused) outcome).reason());
    }

    /**
     * Reads the object after a refusal, because a refusal does not show the present record.
     *
     * <p>If a proxy sent the write twice, the object can already contain the record of this write.
     */
    private CasOutcome refused(String election, LeaseVersion expected, String mark, String reason) {
        Found now;
        try {
            now = found(election);
        } catch (StoreUnavailableException e) {
            return new CasOutcome.Unknown("the lease of \"" + election + "\" was not written (" + reason
                    + "), and the stored record is not known: " + e.getMessage());
        }
        if (now.mark().equals(mark)) {
            return new CasOutcome.Written(now.lease().version());
        }
        if (now.lease().version().equals(expected)) {
            return new CasOutcome.Unknown("the lease of \"" + election + "\" was not written (" + reason
                    + "), although it is still as expected: another write may be under way");
        }
        return new CasOutcome.Conflict(now.lease());
    }

    /**
     * Reads the elections concurrently.
     *
     * <p>The method sends no list request, because the answer would contain up to a thousand keys with their tags, but
     * no records.
     */
    @Override
    public Map<String, VersionedLease> readAll(Collection<String> elections) {
        List<String> names = elections.stream().distinct().toList();
        List<Optional<VersionedLease>> leases =
                sideBySide.each(names, name -> LeaseStore.findReadable(name, () -> read(name)));
        Map<String, VersionedLease> found = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            leases.get(i).ifPresent(lease -> found.put(name, lease));
        }
        return found;
    }

    @Override
    public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
        return new ArrayList<>(sideBySide.each(
                writes, write -> compareAndSet(write.next().election(), write.expected(), write.next())));
    }

    @Override
    public LeaseStore.Promises promises() {
        return promises;
    }

    @Override
    public void close() {
        sideBySide.close();
        objects.close();
    }

    private String key(String election) {
        return prefix + LeaseFileNames.of(election) + SUFFIX;
    }

    private Found found(String election) {
        String key = key(election);
        return objects.get(key, MAX_BYTES)
                .map(object -> parse(election, key, object))
                .orElse(Found.NOTHING);
    }

    private static Found parse(String election, String key, StoredObject object) {
        try {
            String text = object.content().text();
            int end = text.indexOf('\n');
            if (end < 0 || !text.startsWith(WRITE)) {
                throw new IllegalArgumentException("the first line is not \"" + WRITE + "MARK\"");
            }
            LeaseRecord record = LeaseRecordText.read(text.substring(end + 1));
            if (!record.election().equals(election)) {
                throw new IllegalArgumentException("it is the lease of \"" + record.election() + "\"");
            }
            return new Found(
                    VersionedLease.of(new LeaseVersion(object.tag()), record), text.substring(WRITE.length(), end));
        } catch (IllegalArgumentException e) {
            throw UnreadableRecordException.notARecord("the object " + key, String.valueOf(e.getMessage()), e);
        }
    }

    /** The record in an object, and the random UUID of the write that stored it. */
    private record Found(VersionedLease lease, String mark) {
        static final Found NOTHING = new Found(VersionedLease.ABSENT, "");
    }
}
