package dev.doyen.stores.kubernetes;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.Optional;
import java.util.UUID;

/**
 * A store for one non-expiring lease (rule K8). The store's account may create Leases but not update them.
 *
 * <p>To acquire the lease, the store creates the Lease with this process's Pod as the owner. To renew the lease, the
 * store checks that the Lease object has not changed. A release takes effect only in this process; the Lease object
 * remains until the Pod is deleted. {@link NonExpiringLeaseState} decides what a read returns.
 *
 * <p>Threads: any. Writes run one at a time.
 */
final class NonExpiringLeaseStore extends ForwardingLeaseStore {

    private final KubernetesLeaseStore reading;
    private final KubernetesApi api;
    private final String election;
    private final String name;
    private final OwnPod ownPod;
    private final JsonObject pod;
    private final String why;
    private volatile NonExpiringLeaseState state = NonExpiringLeaseState.NONE;

    /**
     * @param reading a store that reads the Lease and never reports an existing Lease of another holder as free
     * @param pod the owner reference to this process's Pod, which owns the Lease
     * @param why the reason why the store supports only one non-expiring lease, for messages
     */
    NonExpiringLeaseStore(
            KubernetesLeaseStore reading,
            KubernetesApi api,
            String election,
            OwnPod ownPod,
            JsonObject pod,
            String why) {
        super(reading);
        this.reading = reading;
        this.api = api;
        this.election = election;
        this.name = LeaseObjectNames.of(election);
        this.ownPod = ownPod;
        this.pod = pod;
        this.why = why;
    }

    @Override
    public VersionedLease read(String which) {
        VersionedLease found = reading.read(which);
        boolean own =
                reading.object(which, found.version()).filter(ownPod::leadsBy).isPresent();
        return own ? state.shown(found) : found;
    }

    @Override
    public synchronized CasOutcome compareAndSet(String which, LeaseVersion expected, LeaseRecord next) {
        if (!which.equals(election) || next.holdersNonce().isPresent()) {
            return new CasOutcome.Unknown(why);
        }
        try {
            return expected.isAbsent() ? make(next) : updateState(expected, next);
        } catch (StoreUnavailableException e) {
            return CasOutcome.Unknown.of(e);
        }
    }

    private CasOutcome make(LeaseRecord next) {
        if (!AccountRights.await(api, ownPod.stays())) {
            return new CasOutcome.Unknown("this Pod is being deleted or does not exist: it creates no Lease");
        }
        Answer answer = AccountRights.await(
                api,
                api.create(LeaseObjectWriter.nonExpiring(
                        name,
                        NonExpiringLeaseState.nonExpiring(next),
                        pod,
                        UUID.randomUUID().toString())));
        if (answer.is(409)) {
            return new CasOutcome.Conflict(read(election));
        }
        if (!answer.is(201)) {
            throw answer.refusal("create", KubernetesApi.LEASES, api.cluster().namespace());
        }
        state = state.taken(next);
        return new CasOutcome.Written(state.version(new LeaseObject(answer.json()).resourceVersion()));
    }

    /**
     * Records a renewal, a release or a new term in this process only. The Lease object of this Pod does not change.
     */
    private CasOutcome updateState(LeaseVersion expected, LeaseRecord next) {
        Answer answer = AccountRights.await(api, api.list(name));
        if (!answer.is(200)) {
            throw answer.refusal("list", KubernetesApi.LEASES, api.cluster().namespace());
        }
        JsonObject list = answer.json();
        Optional<LeaseObject> object =
                list.objects("items").stream().map(LeaseObject::new).findFirst();
        String resourceVersion = NonExpiringLeaseState.resourceVersion(expected);
        boolean current = object.filter(each -> each.resourceVersion().equals(resourceVersion))
                .isPresent();
        if (!current || !state.version(resourceVersion).equals(expected)) {
            return object.filter(ownPod::leadsBy).isPresent() || !current
                    ? new CasOutcome.Conflict(read(election))
                    : new CasOutcome.Unknown(why);
        }
        if (!next.isHeld()) {
            state = state.dropped();
        } else if (NonExpiringLeaseState.mayBegin(
                next,
                LeaseObject.revision(list.at("metadata").text("resourceVersion").orElse("")))) {
            state = state.taken(next);
        } else {
            return new CasOutcome.Unknown("the term " + next.term() + " has to wait for the cluster's next write");
        }
        return new CasOutcome.Written(state.version(resourceVersion));
    }
}
