package dev.doyen.stores.kubernetes;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.support.PipelinedLeaseStore;
import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.Cluster;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Stores leases as Lease objects of {@code coordination.k8s.io/v1}, one per election.
 *
 * <p>All Leases of a store are in one namespace. A record's version is the Lease's resource version. The rules are in
 * docs/spec/kubernetes-lease.md, including the rules for Leases that other electors write.
 *
 * <p>Threads: any number. The store sends no write twice, and every read and write ends within the timeout.
 */
public final class KubernetesLeaseStore extends PipelinedLeaseStore {

    /** The limit for concurrent requests of one call, each on its own connection. */
    private static final int AT_ONCE = 16;

    private final KubernetesApi api;
    private final Duration timeout;
    private final String namespace;
    private final AccountRights rights;
    private final OwnPod ownPod;
    private final HolderPods pods;
    private final LongSupplier nanoClock;
    private final VanishedLeases vanished;
    private final LeaseWatches watches;
    private final LeaseCache seen = new LeaseCache();

    private KubernetesLeaseStore(
            KubernetesApi api,
            Duration timeout,
            AccountRights rights,
            OwnPod ownPod,
            HolderPods pods,
            LongSupplier nanoClock) {
        super(api.cluster().place(), timeout, AT_ONCE);
        this.api = api;
        this.timeout = timeout;
        this.namespace = api.cluster().namespace();
        this.rights = rights;
        this.ownPod = ownPod;
        this.pods = pods;
        this.nanoClock = nanoClock;
        this.vanished = new VanishedLeases(pods, nanoClock);
        this.watches = new LeaseWatches(api);
    }

    /**
     * Opens the store, and requests the account's rights from the API server.
     *
     * @throws StoreUnavailableException if the address or the token is wrong, or if the server does not answer
     */
    static KubernetesLeaseStore open(KubernetesSettings settings) {
        return open(settings, System::nanoTime);
    }

    static KubernetesLeaseStore open(KubernetesSettings settings, LongSupplier nanoClock) {
        return open(settings.cluster(), settings.timeout(), settings.pod(), nanoClock);
    }

    /**
     * Opens the store for a module that has a {@link Cluster} instead of a URL.
     *
     * <p>The method requests the account's rights from the API server.
     *
     * @param timeout the limit for each call
     * @throws StoreUnavailableException if the server does not answer, or rejects the token
     */
    public static KubernetesLeaseStore open(Cluster cluster, Duration timeout) {
        return open(cluster, timeout, Optional.empty(), System::nanoTime);
    }

    private static KubernetesLeaseStore open(
            Cluster cluster, Duration timeout, Optional<String> pod, LongSupplier nanoClock) {
        var api = new KubernetesApi(cluster, timeout);
        AccountRights rights = AccountRights.of(api);
        return new KubernetesLeaseStore(
                api, timeout, rights, new OwnPod(api, pod), new HolderPods(api, true), nanoClock);
    }

    /**
     * Returns a store of non-expiring leases (rule K8).
     *
     * <p>The account must have the right to create and list the Lease, but no right to update it. The URL must name
     * this process's Pod, because a non-expiring lease ends with its holder's Pod. The account must also have the right
     * to get this Pod. If one of these conditions is not met, the result is empty.
     *
     * @throws StoreRefusedException if the account had no right on Leases when the store was opened. This store does
     *     not read its rights again. If an operator grants rights later, open a new store
     * @throws StoreUnavailableException if the server does not answer
     */
    @Override
    public Optional<LeaseStore.NonExpiringLeases> nonExpiringOnly(String election) {
        if (rights.none()) {
            throw new StoreRefusedException(
                    "the account may do nothing with " + KubernetesApi.LEASES + " in namespace " + namespace + " yet",
                    "give it a Role by a RoleBinding",
                    null);
        }
        // An account that may update the Lease can renew its lease. The further requests would delay the start.
        String lease = LeaseObjectNames.of(election);
        if (rights.mayUpdate(lease) || AccountRights.may(api, "update", "coordination.k8s.io", "leases", lease)) {
            return Optional.empty();
        }
        AccessReport report = KubernetesAccess.check(api, election);
        if (report.mayRenew() || !report.mayCreate() || report.missing().contains("list")) {
            return Optional.empty();
        }
        return AccountRights.await(api, ownPod.reference()).map(pod -> {
            var reading = new KubernetesLeaseStore(api, timeout, rights, ownPod, new HolderPods(api, false), nanoClock);
            String why = report.sentence() + "; so whoever leads has a non-expiring lease until its Pod is deleted";
            return new LeaseStore.NonExpiringLeases(
                    new NonExpiringLeaseStore(reading, api, election, ownPod, pod, why), why);
        });
    }

    @Override
    protected List<CompletableFuture<VersionedLease>> sendReads(List<String> elections) {
        return elections.stream()
                .map(election -> watches.take(LeaseObjectNames.of(election))
                        .filter(event -> seen.isCurrent(event.object()))
                        .map(event -> shown(election, event))
                        .orElseGet(() -> read(election, LeaseObjectNames.of(election))))
                .toList();
    }

    @Override
    protected CompletableFuture<CasOutcome> send(LeaseStore.Write write) {
        String election = write.next().election();
        String name = LeaseObjectNames.of(election);
        if (write.expected().isAbsent()) {
            return api.create(LeaseObjectWriter.object(name, Optional.empty(), write.next(), Optional.empty(), mark()))
                    .thenCompose(answer -> answer.is(201)
                            ? CompletableFuture.completedFuture(written(answer))
                            : answer.is(409) ? conflict(election, name) : refused(answer, "create"));
        }
        return base(name, LeaseObjectReader.resourceVersion(write.expected()))
                .thenCompose(base -> base.isEmpty() ? conflict(election, name) : update(write, name, base.get()));
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        String name = LeaseObjectNames.of(election);
        return rights.mayWatch(name) ? watches.watch(name, changed) : Optional.empty();
    }

    /**
     * {@inheritDoc}
     *
     * <p>The store writes no probe, because a Role can be limited to the names of certain Leases.
     */
    @Override
    public List<String> missingRights() {
        return rights.remarks();
    }

    @Override
    public LeaseStore.Promises promises() {
        List<String> remarks = new ArrayList<>(rights.remarks());
        remarks.add(
                "a cluster whose etcd is restored from a backup goes back to its terms; stop the candidates before, and"
                        + " give the elections other names");
        if (pods.isForbidden()) {
            remarks.add("a leader has a non-expiring lease, and the account may not get pods in namespace " + namespace
                    + ", so the store assumes that the leader's pod lives for ever");
        }
        return new LeaseStore.Promises(true, rights.watches(), "a Kubernetes API server", remarks);
    }

    @Override
    public void close() {
        watches.close();
    }

    private CompletableFuture<VersionedLease> read(String election, String name) {
        return api.list(name).thenCompose(answer -> {
            if (!answer.is(200)) {
                throw answer.refusal("list", KubernetesApi.LEASES, namespace);
            }
            JsonObject list = answer.json();
            List<JsonObject> items = list.objects("items");
            return items.isEmpty()
                    ? absent(
                            election,
                            name,
                            list.at("metadata").text("resourceVersion").orElse(""))
                    : shown(election, seen.remember(new LeaseObject(items.get(0))));
        });
    }

    /** Returns the Lease at this version if the cache contains it. */
    Optional<LeaseObject> object(String election, LeaseVersion version) {
        return seen.at(LeaseObjectNames.of(election), LeaseObjectReader.resourceVersion(version));
    }

    private CompletableFuture<VersionedLease> shown(String election, WatchedLease.Seen event) {
        return event.deleted()
                ? absent(election, event.object().name(), event.object().resourceVersion())
                : shown(election, seen.remember(event.object()));
    }

    private CompletableFuture<VersionedLease> shown(String election, LeaseObject object) {
        vanished.forget(object.name());
        return pods.status(object).thenApply(status -> LeaseObjectReader.lease(election, object, status));
    }

    /**
     * Reports an absent Lease by the rules K4 and K5.
     *
     * <p>Rule K4: the next term must be greater than the resource version at which the Lease is absent. Rule K5: the
     * store still reports a deleted non-expiring lease for a while if its holder is alive.
     */
    private CompletableFuture<VersionedLease> absent(String election, String name, String resourceVersion) {
        long floor = LeaseObject.revision(resourceVersion);
        Optional<LeaseObject> last = seen.last(name);
        return last.filter(object -> !ownPod.leadsBy(object))
                .map(vanished::isMissed)
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .thenApply(missed -> {
                    if (missed) {
                        return LeaseObjectReader.lease(election, last.orElseThrow(), HolderPodStatus.PRESENT)
                                .withTermFloor(floor);
                    }
                    seen.forget(name);
                    vanished.forget(name);
                    return VersionedLease.absentAfter(floor);
                });
    }

    /**
     * Returns the Lease at this resource version, as the base of a write.
     *
     * <p>If the cache does not contain the Lease at this version, the method requests the Lease from the server. If the
     * Lease on the server has another version, the result is empty.
     */
    private CompletableFuture<Optional<LeaseObject>> base(String name, String resourceVersion) {
        Optional<LeaseObject> known = seen.at(name, resourceVersion);
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(known);
        }
        return api.list(name).thenApply(answer -> {
            if (!answer.is(200)) {
                throw answer.refusal("list", KubernetesApi.LEASES, namespace);
            }
            return answer.json().objects("items").stream()
                    .map(LeaseObject::new)
                    .filter(object -> object.resourceVersion().equals(resourceVersion))
                    .findFirst();
        });
    }

    private CompletableFuture<CasOutcome> update(LeaseStore.Write write, String name, LeaseObject base) {
        return owner(write.next())
                .thenCompose(pod ->
                        api.update(name, LeaseObjectWriter.object(name, Optional.of(base), write.next(), pod, mark())))
                .thenCompose(answer -> answer.is(200)
                        ? CompletableFuture.completedFuture(written(answer))
                        : answer.is(409) || answer.is(404)
                                ? conflict(write.next().election(), name)
                                : refused(answer, "update"));
    }

    /**
     * Returns this process's Pod, which can become the owner of a released Lease (rule K7).
     *
     * <p>The result is empty for a held Lease, which gets no owner. The result is also empty if the URL names no Pod,
     * or if the server does not return the Pod.
     */
    private CompletableFuture<Optional<JsonObject>> owner(LeaseRecord next) {
        return next.isHeld()
                ? CompletableFuture.completedFuture(Optional.empty())
                : ownPod.reference().exceptionally(fault -> Optional.empty());
    }

    private CasOutcome written(Answer answer) {
        LeaseObject object = seen.remember(new LeaseObject(answer.json()));
        return new CasOutcome.Written(new LeaseVersion(object.resourceVersion()));
    }

    private CompletableFuture<CasOutcome> conflict(String election, String name) {
        return read(election, name).thenApply(CasOutcome.Conflict::new);
    }

    private CompletableFuture<CasOutcome> refused(Answer answer, String verb) {
        return CompletableFuture.failedFuture(answer.refusal(verb, KubernetesApi.LEASES, namespace));
    }

    private static String mark() {
        return UUID.randomUUID().toString();
    }
}
