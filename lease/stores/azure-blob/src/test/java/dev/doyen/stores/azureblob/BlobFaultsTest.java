package dev.doyen.stores.azureblob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.core.util.Context;
import com.azure.storage.blob.options.BlobBreakLeaseOptions;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.objects.HttpFaults;
import dev.doyen.stores.objects.HttpFaults.Fault;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests how the store handles faults. A proxy in front of Azurite injects the faults. */
class BlobFaultsTest {

    private static final String BROKEN = "<Error><Code>ServerBusy</Code><Message>m</Message></Error>";

    private final String election = "orders-" + UUID.randomUUID();

    /**
     * Each test uses its own prefix. Otherwise the object that the check of a broken server leaves behind would make
     * later tests fail.
     */
    private final String prefix = "faults-" + UUID.randomUUID();

    private final HttpFaults server = HttpFaults.before(AzuriteContainer.server());

    @BeforeAll
    static void azurite() {
        assumeTrue(AzuriteContainer.isThere(), "Azurite is not installed; run npm ci");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_repeated_success_answered_as_a_conflict_is_a_success() {
        try (LeaseStore store = open()) {
            server.next("PUT", Fault.SENT_TWICE);
            LeaseVersion first = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)));
            server.next("PUT", Fault.SENT_TWICE);
            LeaseVersion second = written(store.compareAndSet(election, first, record(2)));
            assertThat(store.read(election)).isEqualTo(VersionedLease.of(second, record(2)));
        }
    }

    @Test
    void a_server_fault_is_unknown_and_the_request_is_not_repeated() {
        try (LeaseStore store = open()) {
            server.seen();
            server.next("PUT", Fault.answers(500, BROKEN));
            assertUnknown(store, "Azure answered 500");
            server.next("PUT", Fault.carriedOutBut(503, BROKEN));
            assertUnknown(store, "Azure answered 503");
            assertThat(server.seen()).hasSize(2);
            assertThat(store.read(election).record()).contains(record(1));
        }
    }

    @Test
    void a_lost_connection_is_unknown_and_the_request_is_not_repeated() {
        try (LeaseStore store = open()) {
            server.seen();
            server.next("PUT", Fault.ANSWER_LOST);
            assertUnknown(store, "");
            assertThat(server.seen()).hasSize(1);
            assertThat(store.read(election).record()).contains(record(1));
        }
    }

    @Test
    void a_call_to_a_hanging_service_times_out() {
        try (LeaseStore store = AzuriteContainer.open(url() + "&timeout-millis=1500")) {
            server.next("PUT", Fault.HANGS);
            long start = System.nanoTime();
            assertUnknown(store, "");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(1400), Duration.ofSeconds(60));
            server.next("GET", Fault.HANGS);
            assertThatThrownBy(() -> store.read(election))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("cannot be read: ");
        }
    }

    @Test
    void only_the_code_of_a_missing_blob_means_absent() {
        try (LeaseStore store = open()) {
            server.next("GET", Fault.answers(404, ""));
            assertThatThrownBy(() -> store.read(election))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("Azure answered 404");
            assertThat(store.read(election)).isEqualTo(VersionedLease.ABSENT);
        }
    }

    @Test
    void a_missing_container_is_not_an_absent_lease() {
        String elsewhere = url().replace(AzuriteContainer.NAME, "doyen-no-such");
        assertThatThrownBy(() -> AzuriteContainer.open(elsewhere))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageEndingWith(
                        "Azure answered 404 ContainerNotFound; create the container \"doyen-no-such\" first");
    }

    @Test
    void a_service_without_conditional_writes_is_rejected_at_opening() {
        // The proxy cannot remove the conditions from a request, because the request is signed. Instead, the proxy
        // reports a refused write as successful.
        server.otherwise(request -> {
            HttpResponse<byte[]> response = request.forward(Map.of());
            if (response.statusCode() == 409 || response.statusCode() == 412) {
                request.answer(201, Map.of("ETag", List.of("\"0x1\"")), "");
            } else {
                request.answer(response);
            }
        });
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("this service cannot store leases: it creates a record that exists already");
        assertThatThrownBy(() -> AzuriteContainer.fence(url())).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void a_write_to_a_blob_under_a_foreign_blob_lease_is_unknown() {
        try (LeaseStore store = open()) {
            LeaseVersion first = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)));
            var blob = BlobPlace.of(url(), AzuriteContainer.ENVIRONMENT)
                    .client()
                    .getBlobClient(prefix + "/" + election + ".lease");
            var lease = new BlobLeaseClientBuilder().blobClient(blob).buildClient();
            lease.acquireLease(15);
            assertThat(store.read(election).version()).isEqualTo(first);
            assertUnknown(store, first, "Azure answered 412 LeaseIdMissing");
            lease.breakLeaseWithResponse(
                    new BlobBreakLeaseOptions().setBreakPeriod(Duration.ZERO), Duration.ofSeconds(10), Context.NONE);
            written(store.compareAndSet(election, first, record(2)));
        }
    }

    private LeaseStore open() {
        return AzuriteContainer.open(url() + "&timeout-millis=10000");
    }

    private String url() {
        return AzuriteContainer.url(server.uri(), prefix);
    }

    private void assertUnknown(LeaseStore store, String reason) {
        assertUnknown(store, LeaseVersion.ABSENT, reason);
    }

    private void assertUnknown(LeaseStore store, LeaseVersion expected, String reason) {
        assertThat(store.compareAndSet(election, expected, record(1)))
                .isInstanceOfSatisfying(
                        CasOutcome.Unknown.class,
                        unknown -> assertThat(unknown.reason()).contains(reason));
    }

    private LeaseRecord record(long term) {
        return new LeaseRecord(
                election,
                "n1",
                "n1-1",
                term,
                "n",
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }

    private static LeaseVersion written(CasOutcome outcome) {
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }
}
