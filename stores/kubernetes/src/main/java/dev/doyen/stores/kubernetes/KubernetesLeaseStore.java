package dev.doyen.stores.kubernetes;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.PipelinedLeaseStore;
import dev.doyen.store.StorePromises;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.Cluster;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Leases as Lease objects of {@code coordination.k8s.io/v1}: one per election, in one namespace, whose version is its
 * resource version. What it says of an election, also when others write into it, is docs/spec/kubernetes-lease.md.
 *
 * <p>Threads: any number. Nothing is sent twice, and every call ends within the timeout.
 */
public final class KubernetesLeaseStore extends PipelinedLeaseStore {

    /** Requests under way for one call: as many connections. */
    private static final int AT_ONCE = 16;

    private final KubernetesApi api;
    private final String namespace;
    private final AccountRights rights;
    private final HolderPods pods;
    private final LeaseWatches watches;
    private final SeenLeases seen = new SeenLeases();

    private KubernetesLeaseStore(KubernetesApi api, Duration timeout, AccountRights rights) {
        super(api.cluster().place(), timeout, AT_ONCE);
        this.api = api;
        this.namespace = api.cluster().namespace();
        this.rights = rights;
        this.pods = new HolderPods(api);
        this.watches = new LeaseWatches(api);
    }

    /** Opens the store, and asks once what the account may do, so that a wrong address or token is found now. */
    static KubernetesLeaseStore open(KubernetesSettings settings) {
        return open(settings.cluster(), settings.timeout());
    }

    /** For programs of this house that know their cluster otherwise than by a URL. */
    public static KubernetesLeaseStore open(Cluster cluster, Duration timeout) {
        var api = new KubernetesApi(cluster, timeout);
        return new KubernetesLeaseStore(api, timeout, AccountRights.of(api));
    }

    @Override
    protected List<CompletableFuture<VersionedLease>> ask(List<String> elections) {
        return elections.stream()
                .map(election -> watches.take(LeaseObjectNames.of(election))
                        .filter(event -> seen.isNews(event.object()))
                        .map(event -> shown(election, event))
                        .orElseGet(() -> read(election, LeaseObjectNames.of(election))))
                .toList();
    }

    @Override
    protected CompletableFuture<CasOutcome> send(LeaseWrite write) {
        String election = write.next().election();
        String name = LeaseObjectNames.of(election);
        if (write.expected().isAbsent()) {
            return api.create(LeaseWriting.object(name, Optional.empty(), write.next(), mark()))
                    .thenCompose(answer -> answer.is(201)
                            ? CompletableFuture.completedFuture(written(answer))
                            : answer.is(409) ? conflict(election, name) : refused(answer, "create"));
        }
        return base(name, LeaseReading.resourceVersion(write.expected()))
                .thenCompose(base -> base.isEmpty() ? conflict(election, name) : update(write, name, base.get()));
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        String name = LeaseObjectNames.of(election);
        return rights.mayWatch(name) ? watches.watch(name, changed) : Optional.empty();
    }

    @Override
    public StorePromises promises() {
        List<String> remarks = new ArrayList<>(rights.remarks());
        remarks.add(
                "a cluster whose etcd is restored from a backup goes back to its terms; stop the candidates before, and"
                        + " give the elections other names");
        if (pods.isForbidden()) {
            remarks.add("a leader for life was met, and the account may not get pods in namespace " + namespace
                    + ": it is believed to live for ever");
        }
        return new StorePromises(true, rights.watches(), "a Kubernetes API server", remarks);
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
                    ? CompletableFuture.completedFuture(absentSince(
                            list.at("metadata").text("resourceVersion").orElse("")))
                    : shown(election, seen.remember(new LeaseObject(items.get(0))));
        });
    }

    private CompletableFuture<VersionedLease> shown(String election, WatchedLease.Seen event) {
        return event.deleted()
                ? CompletableFuture.completedFuture(absentSince(event.object().resourceVersion()))
                : shown(election, seen.remember(event.object()));
    }

    private CompletableFuture<VersionedLease> shown(String election, LeaseObject object) {
        return pods.life(object).thenApply(life -> LeaseReading.lease(election, object, life));
    }

    /** Rule K4: no term that this Lease ever had is above a resource version at which it is not there. */
    private static VersionedLease absentSince(String resourceVersion) {
        return VersionedLease.absentAfter(LeaseObject.revision(resourceVersion));
    }

    /** The Lease to be changed, if it still has this resource version; asked for if it was not seen lately. */
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

    private CompletableFuture<CasOutcome> update(LeaseWrite write, String name, LeaseObject base) {
        return api.update(name, LeaseWriting.object(name, Optional.of(base), write.next(), mark()))
                .thenCompose(answer -> answer.is(200)
                        ? CompletableFuture.completedFuture(written(answer))
                        : answer.is(409) || answer.is(404)
                                ? conflict(write.next().election(), name)
                                : refused(answer, "update"));
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
