package dev.doyen.stores.kubernetes;

import static dev.doyen.stores.kubernetes.Api.record;
import static dev.doyen.stores.kubernetes.Api.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests rules K5 and K8 on a real server, with a Role that may create but not update Leases. */
@Timeout(180)
class NonExpiringLeaseStoreTest {

    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";

    private final String election = "life-" + UUID.randomUUID();
    private final String pod = "pod-" + election;
    private final List<LeaseStore> open = new ArrayList<>();
    private KubernetesServer server;
    private LeaseStore everybody;

    @BeforeEach
    void start() throws Exception {
        server = Api.server();
        Api.pod(server, pod);
        everybody = Api.open(server);
        open.add(everybody);
    }

    @AfterEach
    void close() throws Exception {
        open.forEach(LeaseStore::close);
        if (server != null) {
            server.send("DELETE", Api.PODS + "/" + pod, "{\"gracePeriodSeconds\":0}");
            server.send("DELETE", Api.LEASES + "/" + election, "");
        }
    }

    @Test
    void k8_applies_only_with_create_without_update_and_with_a_known_pod() throws Exception {
        try (LeaseStore admin = LeaseStore.open(Api.url(server, "admin") + "&pod=" + pod)) {
            assertThat(admin.nonExpiringOnly(election))
                    .as("not for an account that can update")
                    .isEmpty();
        }
        assertThat(account("nais", "get,create,list,watch", pod).nonExpiringOnly(election))
                .hasValueSatisfying(found -> assertThat(found.why())
                        .isEqualTo("the account may not \"update\" the Lease " + election
                                + " in namespace default: it can neither renew a lease nor take one over;"
                                + " so whoever leads has a non-expiring lease until its Pod is deleted"));
        assertThat(account("nais", "get,create,list,watch", "").nonExpiringOnly(election))
                .as("not without a Pod")
                .isEmpty();
        assertThat(account("nais", "get,create,list,watch", "no-such-pod").nonExpiringOnly(election))
                .as("not if the Pod does not exist")
                .isEmpty();
        assertThat(account("reader", "get,list,watch", pod).nonExpiringOnly(election))
                .as("not for an account that cannot create")
                .isEmpty();
        assertThatThrownBy(() -> account("newcomer", "", pod).nonExpiringOnly(election))
                .as("the rights of the account can still be granted")
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("give it a Role by a RoleBinding");
        assertThat(account("blind", "get,create,watch", pod).nonExpiringOnly(election))
                .as("not for an account that cannot list")
                .isEmpty();
    }

    @Test
    void k8_a_created_lease_is_unchanged_and_non_expiring_for_all() throws Exception {
        LeaseStore life = life();
        VersionedLease absent = life.read(election);
        LeaseRecord mine = record(election, "n1", absent.highestTerm() + 1);
        LeaseVersion one = written(life.compareAndSet(election, LeaseVersion.ABSENT, mine));
        LeaseObject made = Api.lease(server, election);
        assertThat(made.spec().fields().keySet()).containsExactlyInAnyOrder("holderIdentity", "acquireTime");
        assertThat(made.owningPod().flatMap(owner -> owner.text("name"))).contains(pod);

        LeaseVersion two = written(life.compareAndSet(election, one, record(election, "n1", mine.term())));
        assertThat(two).isNotEqualTo(one);
        assertThat(life.read(election).version()).isEqualTo(two);
        assertThat(Api.lease(server, election).resourceVersion()).isEqualTo(made.resourceVersion());
        assertThat(life.compareAndSet(election, one, record(election, "n1", mine.term())))
                .as("a write over an old version is a conflict")
                .isInstanceOf(CasOutcome.Conflict.class);

        LeaseRecord seen = everybody.read(election).record().orElseThrow();
        assertThat(seen.isNonExpiring()).isTrue();
        assertThat(seen.incarnation()).isEqualTo("n1-1");
        assertThat(seen.term()).isEqualTo(mine.term());
    }

    @Test
    void k8_a_released_lease_is_free_locally_unchanged_for_others_and_can_be_reacquired() throws Exception {
        LeaseStore life = life();
        long term = life.read(election).highestTerm() + 1;
        LeaseVersion version = written(life.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", term)));
        version = written(life.compareAndSet(election, version, record(election, "", term)));
        assertThat(life.read(election).version()).isEqualTo(version);
        assertThat(life.read(election).record().orElseThrow().isHeld()).isFalse();
        assertThat(everybody.read(election).record().orElseThrow().holder()).isEqualTo("n1");

        assertThat(life.compareAndSet(election, version, record(election, "n1", Long.MAX_VALUE)))
                .as("a term above all possible terms is rejected")
                .isInstanceOf(CasOutcome.Unknown.class);
        String witness = "witness-" + election;
        Api.make(server, witness, "{}");
        written(life.compareAndSet(election, version, record(election, "n1", term + 1)));
        assertThat(life.read(election).record().orElseThrow().term()).isEqualTo(term + 1);
        Api.delete(server, Api.LEASES + "/" + witness);
        Api.delete(server, Api.LEASES + "/" + election);
        assertThat(life.read(election).highestTerm()).isGreaterThan(term + 1);
    }

    @Test
    void k8_the_lease_of_the_own_pod_can_be_acquired_after_a_restart() throws Exception {
        LeaseStore before = life();
        long term = before.read(election).highestTerm() + 1;
        written(before.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", term)));
        Api.make(server, "witness-" + election, "{}");

        LeaseStore after = life();
        VersionedLease found = after.read(election);
        assertThat(found.record().orElseThrow().isHeld()).isFalse();
        assertThat(found.highestTerm()).isGreaterThanOrEqualTo(term);
        written(after.compareAndSet(election, found.version(), record(election, "n1", term + 1)));
        Api.delete(server, Api.LEASES + "/witness-" + election);
    }

    @Test
    void k8_the_lease_of_another_pod_is_not_acquired_while_the_pod_exists() throws Exception {
        String other = "other-" + election;
        String uid = Api.pod(server, other);
        Api.ok(server.send(
                "POST",
                Api.LEASES,
                "{\"metadata\":{\"name\":\"" + election
                        + "\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"" + other
                        + "\",\"uid\":\"" + uid + "\"}]},\"spec\":{\"holderIdentity\":\"" + other + "\"}}"));
        Api.ok(server.send("PATCH", Api.PODS + "/" + other + "/status", "{\"status\":{\"phase\":\"Failed\"}}"));
        assertThat(everybody.read(election).record().orElseThrow().isHeld())
                .as("the Lease is free for an account that can update")
                .isFalse();
        LeaseStore life = life();
        VersionedLease found = life.read(election);
        assertThat(found.record().orElseThrow().holder())
                .as("the Lease is held for an account that cannot update")
                .isEqualTo(other);
        assertThat(life.compareAndSet(election, found.version(), record(election, "n1", 9)))
                .isInstanceOf(CasOutcome.Unknown.class);
        Api.delete(server, Api.PODS + "/" + other);
    }

    @Test
    void k8_a_lease_released_while_updates_were_allowed_is_not_non_expiring() throws Exception {
        try (LeaseStore admin = LeaseStore.open(Api.url(server, "admin") + "&pod=" + pod)) {
            LeaseVersion version =
                    written(admin.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)));
            admin.compareAndSet(election, version, LeaseObjectTest.stateless(record(election, "", 1)));
        }
        assertThat(Api.lease(server, election).owningPod()).isPresent();
        LeaseStore life = life();
        VersionedLease found = life.read(election);
        assertThat(life.compareAndSet(election, found.version(), record(election, "n1", found.highestTerm() + 1)))
                .as("another account can update the Lease at any time")
                .isInstanceOf(CasOutcome.Unknown.class);
    }

    @Test
    void k8_a_deleted_pod_creates_no_lease() throws Exception {
        LeaseStore life = life();
        Api.delete(server, Api.PODS + "/" + pod);
        makesNoLease(life);
    }

    @Test
    void k8_a_pod_that_is_being_deleted_creates_no_lease() throws Exception {
        LeaseStore life = life();
        String kept = "{\"metadata\":{\"finalizers\":[\"doyen.dev/kept\"]}}";
        Api.ok(server.send("PATCH", Api.PODS + "/" + pod, kept));
        try {
            Api.delete(server, Api.PODS + "/" + pod);
            makesNoLease(life);
        } finally {
            Api.ok(server.send("PATCH", Api.PODS + "/" + pod, "{\"metadata\":{\"finalizers\":null}}"));
        }
    }

    @Test
    void k8_a_pod_whose_name_was_reused_creates_no_lease() throws Exception {
        LeaseStore life = life();
        Api.delete(server, Api.PODS + "/" + pod);
        Api.pod(server, pod);
        makesNoLease(life);
    }

    private void makesNoLease(LeaseStore life) throws Exception {
        assertThat(life.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)))
                .isInstanceOfSatisfying(
                        CasOutcome.Unknown.class,
                        unknown ->
                                assertThat(unknown.reason()).contains("this Pod is being deleted or does not exist"));
        assertThat(server.send("GET", Api.LEASES + "/" + election, "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void k8_a_note_of_another_writer_is_read_and_the_lease_stays_non_expiring() throws Exception {
        LeaseStore life = life();
        long term = life.read(election).highestTerm() + 1;
        LeaseVersion version = written(life.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", term)));
        VersionedLease held = everybody.read(election);
        LeaseNotes paused =
                LeaseNotes.NONE.withPause(Optional.of(new LeaseNotes.Pause("ops", "moving house", Instant.EPOCH)));
        written(everybody.compareAndSet(
                election, held.version(), held.record().orElseThrow().noting(paused, "nonce")));
        LeaseObject noted = Api.lease(server, election);
        assertThat(noted.isNonExpiring()).isTrue();
        assertThat(noted.owningPod()).isPresent();

        assertThat(life.compareAndSet(election, version, record(election, "n1", term)))
                .isInstanceOfSatisfying(CasOutcome.Conflict.class, conflict -> {
                    LeaseRecord seen = conflict.current().record().orElseThrow();
                    assertThat(seen.incarnation()).isEqualTo("n1-1");
                    assertThat(seen.notes().pause()).isPresent();
                });
    }

    @Test
    void k5_a_lease_deleted_under_a_running_pod_is_still_reported_to_others_only() throws Exception {
        LeaseStore life = life();
        long term = life.read(election).highestTerm() + 1;
        LeaseVersion version = written(life.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", term)));
        assertThat(everybody.read(election).record().orElseThrow().isHeld()).isTrue();
        assertThat(life.read(election).record().orElseThrow().isHeld()).isTrue();
        Api.delete(server, Api.LEASES + "/" + election);

        assertThat(everybody.read(election).record().orElseThrow().holder()).isEqualTo("n1");
        assertThat(life.compareAndSet(election, version, record(election, "n1", term)))
                .isInstanceOfSatisfying(
                        CasOutcome.Conflict.class,
                        conflict -> assertThat(conflict.current().record()).isEmpty());
        Api.delete(server, Api.PODS + "/" + pod);
        assertThat(everybody.read(election).record())
                .as("the Pod is deleted too")
                .isEmpty();
    }

    @Test
    void k5_each_deletion_starts_a_new_wait_of_10_s_at_most() throws Exception {
        LeaseStore life = life();
        var now = new AtomicLong(Long.MAX_VALUE - 5);
        LeaseStore other = KubernetesLeaseStore.open(KubernetesSettings.of(Api.url(server, "admin")), now::get);
        open.add(other);
        for (int time = 1; time <= 2; time++) {
            long term = life.read(election).highestTerm() + 1;
            written(life.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", term)));
            assertThat(other.read(election).record())
                    .as("round %d: the Lease exists", time)
                    .isPresent();
            Api.delete(server, Api.LEASES + "/" + election);
            assertThat(other.read(election).record())
                    .as("round %d: the Lease was just deleted", time)
                    .isPresent();
            now.addAndGet(Duration.ofSeconds(9).toNanos());
            assertThat(other.read(election).record())
                    .as("round %d: after 9 s", time)
                    .isPresent();
        }
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(other.read(election).record()).as("after 10 s").isEmpty();
    }

    @Test
    void k5_a_deleted_expiring_lease_is_not_reported_even_with_a_running_pod() throws Exception {
        written(everybody.compareAndSet(election, LeaseVersion.ABSENT, record(election, pod, 1)));
        assertThat(everybody.read(election).record()).isPresent();
        Api.delete(server, Api.LEASES + "/" + election);
        assertThat(everybody.read(election).record()).isEmpty();
    }

    private LeaseStore life() throws Exception {
        LeaseStore.NonExpiringLeases found = account("nais", "get,create,list,watch", pod)
                .nonExpiringOnly(election)
                .orElseThrow();
        open.add(found.store());
        return found.store();
    }

    /**
     * Creates an account's Role with these verbs on Leases, and opens a store with this account. If {@code own} is
     * not empty, it is the name of the store's pod.
     */
    private LeaseStore account(String name, String verbs, String own) throws Exception {
        String url =
                "kubernetes:?kubeconfig=" + server.kubeconfig("default/" + name) + (own.isEmpty() ? "" : "&pod=" + own);
        server.make(
                ROLES + "roles",
                "{\"metadata\":{\"name\":\"%s\"},\"rules\":[{\"apiGroups\":[\"coordination.k8s.io\"],\"resources\":[\"leases\"],\"verbs\":[\"%s\"]},{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\"]}]}"
                        .formatted(name, verbs.replace(",", "\",\"")));
        server.make(
                ROLES + "rolebindings",
                "{\"metadata\":{\"name\":\"%1$s\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":\"%1$s\"},\"subjects\":[{\"kind\":\"ServiceAccount\",\"name\":\"%1$s\",\"namespace\":\"default\"}]}"
                        .formatted(name));
        while (!KubernetesAccess.check(url, election).mayGetPods()) {
            // The authorizer receives a new Role only after a moment, through its own watch.
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
        }
        LeaseStore store = LeaseStore.open(url);
        open.add(store);
        return store;
    }
}
