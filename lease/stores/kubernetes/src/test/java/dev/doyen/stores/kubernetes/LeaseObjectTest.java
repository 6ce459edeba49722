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
import dev.doyen.stores.kubernetes.rest.JsonObject;
import dev.doyen.testkit.TcpProxy;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests rules K1 to K7 on a real server: how Doyen and other electors read each other's Leases. */
@Timeout(180)
class LeaseObjectTest {

    private static final String HELD_BY_CLIENT_GO =
            "{\"holderIdentity\":\"client-go\",\"leaseDurationSeconds\":15,\"acquireTime\":\"2026-11-21T10:00:00.000000Z\","
                    + "\"renewTime\":\"2026-11-21T10:00:04.123456Z\",\"leaseTransitions\":%d}";

    private final String election = "lease-" + UUID.randomUUID();
    private KubernetesServer server;
    private LeaseStore store;

    @BeforeEach
    void open() throws Exception {
        server = Api.server();
        store = Api.open(server);
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    @Test
    void k1_the_spec_contains_what_kubectl_and_other_electors_read() throws Exception {
        LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)));
        JsonObject spec = Api.lease(server, election).spec();
        assertThat(spec.text("holderIdentity")).contains("n1");
        assertThat(spec.number("leaseDurationSeconds")).hasValue(10);
        assertThat(spec.text("acquireTime")).contains("2026-11-21T09:00:00.000000Z");
        assertThat(spec.text("renewTime")).contains("2026-11-21T09:01:22.500000Z");
        assertThat(spec.number("leaseTransitions").orElse(0)).isZero();

        version = written(store.compareAndSet(election, version, record(election, "n1", 1)));
        assertThat(Api.lease(server, election).transitions())
                .as("a renewal is no transition")
                .isZero();
        version = written(store.compareAndSet(election, version, record(election, "n2", 2)));
        assertThat(Api.lease(server, election).transitions())
                .as("another holder is a transition")
                .isEqualTo(1);
        version = written(store.compareAndSet(election, version, record(election, "n2", 3)));
        assertThat(Api.lease(server, election).transitions())
                .as("another term is a transition")
                .isEqualTo(2);

        written(store.compareAndSet(election, version, record(election, "", 3)));
        LeaseObject released = Api.lease(server, election);
        assertThat(released.spec().text("holderIdentity")).contains("");
        assertThat(released.durationSeconds()).hasValue(1);
        assertThat(released.transitions()).as("a release is no transition").isEqualTo(2);
    }

    @Test
    void k1_an_invalid_name_is_encoded_and_stored_in_the_record() throws Exception {
        String name = "Nightly Export " + election;
        written(store.compareAndSet(name, LeaseVersion.ABSENT, record(name, "n1", 1)));
        LeaseObject lease = Api.lease(server, LeaseObjectNames.of(name));
        assertThat(lease.name()).startsWith("doyen--nightly-export-");
        assertThat(lease.annotation(LeaseObject.RECORD).orElseThrow()).contains("election: " + name + "\n");
    }

    @Test
    void fields_of_other_programs_survive_a_write() throws Exception {
        LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)));
        Api.patch(
                server,
                election,
                "{\"metadata\":{\"labels\":{\"team\":\"a\"},\"annotations\":{\"argocd\":\"x\"},\"finalizers\":[\"a.io/b\"]}}");
        VersionedLease labelled = store.read(election);
        assertThat(labelled.version()).isNotEqualTo(version);
        assertThat(labelled.record())
                .as("the record is unchanged")
                .hasValueSatisfying(r -> assertThat(r.incarnation()).isEqualTo("n1-1"));
        written(store.compareAndSet(election, labelled.version(), record(election, "n1", 1)));
        JsonObject metadata = Api.lease(server, election).metadata();
        assertThat(metadata.at("labels").text("team")).contains("a");
        assertThat(metadata.at("annotations").text("argocd")).contains("x");
        assertThat(metadata.texts("finalizers")).containsExactly("a.io/b");
        Api.patch(server, election, "{\"metadata\":{\"finalizers\":[]}}");
    }

    @Test
    void k2_the_fields_of_another_elector_take_precedence_and_the_others_are_kept() throws Exception {
        written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 5)));
        Api.patch(server, election, "{\"spec\":" + HELD_BY_CLIENT_GO.formatted(1) + "}");
        LeaseRecord seen = store.read(election).record().orElseThrow();
        assertThat(seen.holder()).isEqualTo("client-go");
        assertThat(LeaseObjectReader.isForeign(seen)).isTrue();
        assertThat(seen.ttl()).hasSeconds(15);
        assertThat(seen.term()).isEqualTo(6);
        assertThat(seen.renewedAt()).isEqualTo("2026-11-21T10:00:04.123456Z");
        assertThat(seen.state().text()).isEqualTo("page 7");

        Api.patch(server, election, "{\"spec\":{\"renewTime\":\"2026-11-21T10:00:06.000001Z\"}}");
        VersionedLease renewed = store.read(election);
        assertThat(renewed.record().orElseThrow().term())
                .as("a renewal does not change the term")
                .isEqualTo(6);

        written(store.compareAndSet(election, renewed.version(), record(election, "n1", renewed.highestTerm() + 1)));
        LeaseObject taken = Api.lease(server, election);
        assertThat(taken.holder()).isEqualTo("n1");
        assertThat(taken.transitions()).isEqualTo(2);
        assertThat(store.read(election).record().orElseThrow().incarnation()).isEqualTo("n1-1");
    }

    @Test
    void k2_a_lease_released_by_another_elector_is_free() throws Exception {
        written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 5)));
        Api.patch(server, election, "{\"spec\":" + HELD_BY_CLIENT_GO.formatted(1) + "}");
        Api.patch(server, election, "{\"spec\":{\"holderIdentity\":\"\",\"leaseDurationSeconds\":1}}");
        LeaseRecord seen = store.read(election).record().orElseThrow();
        assertThat(seen.isHeld()).isFalse();
        assertThat(seen.term()).as("the term of the other elector counts").isEqualTo(6);
    }

    @Test
    void k2_a_holder_id_written_by_another_elector_is_not_the_candidate() throws Exception {
        written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 5)));
        Api.patch(server, election, "{\"spec\":{\"renewTime\":\"2026-11-21T10:00:06.000001Z\"}}");
        LeaseRecord seen = store.read(election).record().orElseThrow();
        assertThat(seen.holder()).isEqualTo("n1");
        assertThat(seen.incarnation()).isNotEqualTo("n1-1");
        assertThat(seen.term()).isEqualTo(6);
    }

    @Test
    void k3_an_absurd_count_of_transitions_does_not_raise_the_term_above_the_resource_version() throws Exception {
        written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 5)));
        Api.patch(server, election, "{\"spec\":" + HELD_BY_CLIENT_GO.formatted(2_000_000_000) + "}");
        long revision = Api.lease(server, election).revision();
        assertThat(store.read(election).highestTerm()).isBetween(6L, revision);
    }

    @Test
    void k4_terms_continue_after_a_deletion_and_a_recreation_by_others() throws Exception {
        LeaseVersion version = LeaseVersion.ABSENT;
        long term = store.read(election).highestTerm() + 1;
        assertThat(term)
                .as("the first term is above the terms of a deleted Lease")
                .isGreaterThan(1);
        for (int round = 0; round < 20; round++) {
            version = written(store.compareAndSet(election, version, record(election, "n" + round, term++)));
        }
        Api.delete(server, Api.LEASES + "/" + election);
        VersionedLease deleted = store.read(election);
        assertThat(deleted.record()).isEmpty();
        assertThat(deleted.highestTerm()).isGreaterThanOrEqualTo(term - 1);

        Api.make(server, election, HELD_BY_CLIENT_GO.formatted(0));
        VersionedLease foreign = store.read(election);
        assertThat(foreign.record().orElseThrow().holder()).isEqualTo("client-go");
        assertThat(foreign.highestTerm()).isGreaterThanOrEqualTo(deleted.highestTerm());

        Api.delete(server, Api.LEASES + "/" + election);
        Api.make(server, election, "{}");
        VersionedLease prepared = store.read(election);
        assertThat(prepared.record().orElseThrow().isHeld()).isFalse();
        assertThat(prepared.highestTerm()).isGreaterThanOrEqualTo(foreign.highestTerm());
        written(store.compareAndSet(election, prepared.version(), record(election, "n1", prepared.highestTerm() + 1)));
    }

    @Test
    void k4_a_write_over_a_deleted_lease_is_rejected() throws Exception {
        LeaseVersion version = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)));
        Api.delete(server, Api.LEASES + "/" + election);
        assertThat(store.compareAndSet(election, version, record(election, "n1", 1)))
                .isInstanceOfSatisfying(
                        CasOutcome.Conflict.class,
                        conflict -> assertThat(conflict.current().record()).isEmpty());
        assertThat(server.send("GET", Api.LEASES + "/" + election, "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void k5_a_non_expiring_lease_is_held_until_its_pod_is_deleted() throws Exception {
        String pod = "pod-" + election;
        String uid = Api.pod(server, pod);
        nonExpiring(pod, uid);
        VersionedLease held = store.read(election);
        assertThat(held.record().orElseThrow().holder()).isEqualTo(pod);
        assertThat(held.record().orElseThrow().ttl()).isEqualTo(LeaseRecord.NON_EXPIRING_TTL);

        Api.delete(server, Api.PODS + "/" + pod);
        VersionedLease free = store.read(election);
        assertThat(free.record().orElseThrow().isHeld()).isFalse();
        assertThat(free.version())
                .as("the version changes, so candidates react")
                .isNotEqualTo(held.version());

        Api.pod(server, pod);
        assertThat(store.read(election).record().orElseThrow().isHeld())
                .as("another Pod of the same name does not hold the Lease")
                .isFalse();
        written(store.compareAndSet(election, free.version(), record(election, "n1", free.highestTerm() + 1)));
        LeaseObject taken = Api.lease(server, election);
        assertThat(taken.owners()).isEmpty();
        assertThat(taken.durationSeconds()).hasValue(10);
        Api.delete(server, Api.PODS + "/" + pod);
    }

    @Test
    void k5_a_non_expiring_lease_ends_with_a_failed_or_succeeded_pod() throws Exception {
        for (String phase : new String[] {"Failed", "Succeeded"}) {
            String pod = "pod-" + UUID.randomUUID();
            String uid = Api.pod(server, pod);
            nonExpiring(pod, uid);
            Api.ok(server.send(
                    "PATCH", Api.PODS + "/" + pod + "/status", "{\"status\":{\"phase\":\"" + phase + "\"}}"));
            assertThat(store.read(election).record().orElseThrow().isHeld())
                    .as(phase)
                    .isFalse();
            Api.delete(server, Api.LEASES + "/" + election);
            Api.delete(server, Api.PODS + "/" + pod);
        }
    }

    @Test
    void k5_without_an_owner_the_pod_has_the_name_of_the_holder() throws Exception {
        String pod = "pod-" + election;
        Api.pod(server, pod);
        Api.make(server, election, "{\"holderIdentity\":\"" + pod + "\"}");
        assertThat(store.read(election).record().orElseThrow().isHeld()).isTrue();
        Api.delete(server, Api.PODS + "/" + pod);
        assertThat(store.read(election).record().orElseThrow().isHeld()).isFalse();
    }

    @Test
    void k6_a_note_does_not_change_the_holder_of_a_non_expiring_lease() throws Exception {
        String pod = "pod-" + election;
        nonExpiring(pod, Api.pod(server, pod));
        VersionedLease held = store.read(election);
        LeaseNotes paused =
                LeaseNotes.NONE.withPause(Optional.of(new LeaseNotes.Pause("ops", "moving house", Instant.EPOCH)));
        written(store.compareAndSet(
                election, held.version(), held.record().orElseThrow().noting(paused, "nonce")));
        LeaseObject noted = Api.lease(server, election);
        assertThat(noted.isNonExpiring()).isTrue();
        assertThat(noted.owningPod()).isPresent();
        LeaseRecord seen = store.read(election).record().orElseThrow();
        assertThat(seen.notes().pause()).isPresent();
        assertThat(seen.term()).isEqualTo(held.record().orElseThrow().term());
        Api.delete(server, Api.PODS + "/" + pod);
        assertThat(store.read(election).record().orElseThrow().isHeld()).isFalse();
    }

    @Test
    void k7_a_released_lease_is_deleted_unless_data_would_be_lost() throws Exception {
        String pod = "pod-" + election;
        String uid = Api.pod(server, pod);
        LeaseRecord withState = record(election, "", 1);
        LeaseRecord empty = stateless(withState);
        LeaseNotes paused =
                LeaseNotes.NONE.withPause(Optional.of(new LeaseNotes.Pause("ops", "moving house", Instant.EPOCH)));
        try (LeaseStore own = LeaseStore.open(Api.url(server, "admin") + "&pod=" + pod)) {
            LeaseVersion version = written(own.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)));
            assertThat(Api.lease(server, election).owners())
                    .as("a held Lease has no owner")
                    .isEmpty();
            version = written(own.compareAndSet(election, version, withState));
            assertThat(Api.lease(server, election).owners())
                    .as("a Lease with state has no owner")
                    .isEmpty();
            version = written(own.compareAndSet(election, version, empty.noting(paused, "nonce")));
            assertThat(Api.lease(server, election).owners())
                    .as("a paused Lease has no owner")
                    .isEmpty();
            version = written(own.compareAndSet(election, version, empty));
            assertThat(Api.lease(server, election).owningPod().flatMap(owner -> owner.text("uid")))
                    .contains(uid);
            written(own.compareAndSet(election, version, record(election, "n1", 2)));
            assertThat(Api.lease(server, election).owners())
                    .as("an acquired Lease has no owner")
                    .isEmpty();
        }
        LeaseVersion version = store.read(election).version();
        written(store.compareAndSet(election, version, empty));
        assertThat(Api.lease(server, election).owners())
                .as("a candidate without a Pod sets no owner")
                .isEmpty();
        Api.delete(server, Api.PODS + "/" + pod);
    }

    static LeaseRecord stateless(LeaseRecord of) {
        return new LeaseRecord(
                of.election(),
                of.holder(),
                of.incarnation(),
                of.term(),
                of.nonce(),
                of.ttl(),
                of.acquiredAt(),
                of.renewedAt(),
                dev.doyen.event.SavedState.EMPTY,
                0);
    }

    @Test
    void an_unreadable_record_is_a_fault_and_not_an_absent_lease() throws Exception {
        written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 5)));
        Api.patch(server, election, "{\"metadata\":{\"annotations\":{\"" + LeaseObject.RECORD + "\":\"scribble\"}}}");
        assertThatThrownBy(() -> store.read(election))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("the Lease " + election + " is not a lease record");
    }

    @Test
    void the_first_read_after_an_event_is_answered_by_it_and_later_reads_by_the_server() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.api().port());
                LeaseStore watching = LeaseStore.open(
                        "kubernetes:?kubeconfig=" + server.kubeconfig("admin", proxy.port()) + "&timeout-millis=500")) {
            var announced = new Semaphore(0);
            LeaseStore.Watch watch =
                    watching.watch(election, announced::release).orElseThrow();
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS))
                    .as("the start of the watch is announced")
                    .isTrue();
            LeaseVersion version =
                    written(store.compareAndSet(election, LeaseVersion.ABSENT, record(election, "n1", 1)));
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            proxy.cut();
            assertThat(watching.read(election).version()).isEqualTo(version);
            assertThatThrownBy(() -> watching.read(election)).isInstanceOf(StoreUnavailableException.class);
            watch.close();
        }
    }

    /** Creates a non-expiring Lease as the NAIS elector does. */
    private void nonExpiring(String pod, String uid) throws Exception {
        Api.ok(server.send(
                "POST",
                Api.LEASES,
                "{\"metadata\":{\"name\":\"" + election
                        + "\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
                        + "\"name\":\"" + pod + "\",\"uid\":\"" + uid + "\"}]},\"spec\":{\"holderIdentity\":\"" + pod
                        + "\",\"acquireTime\":\"2026-11-21T09:00:00.000000Z\"}}"));
    }
}
