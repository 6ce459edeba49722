package dev.doyen.stores.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.objects.HttpFaults;
import dev.doyen.stores.objects.HttpFaults.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the store handles faulty answers. A proxy in front of a real server injects the faults. */
class S3FaultsTest {

    private static final String CONFLICT = "<Error><Code>ConditionalRequestConflict</Code><Message>m</Message></Error>";
    private static final String BROKEN = "<Error><Code>UnknownError</Code><Message>m</Message></Error>";
    private static final String DENIED = "<Error><Code>AccessDenied</Code><Message>m</Message></Error>";

    private final HttpFaults server = HttpFaults.before(S3Mock.uri());
    private final String election = "orders-" + UUID.randomUUID();

    /** Each test uses its own prefix. Otherwise a test would find the probe objects that earlier tests left. */
    private final String prefix = "faults-" + UUID.randomUUID();

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
    void a_conflict_of_concurrent_requests_is_unknown_until_another_record_is_read() {
        try (LeaseStore store = open()) {
            server.next("PUT", Fault.answers(409, CONFLICT));
            assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)))
                    .isInstanceOfSatisfying(
                            CasOutcome.Unknown.class,
                            unknown -> assertThat(unknown.reason())
                                    .contains("S3 answered 409 ConditionalRequestConflict")
                                    .contains("another write may be under way"));
            server.next("PUT", Fault.answers(409, CONFLICT));
            server.next("GET", request -> {
                LeaseVersion rival = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(9)));
                assertThat(rival.isAbsent()).isFalse();
                request.pass();
            });
            assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)))
                    .isInstanceOfSatisfying(
                            CasOutcome.Conflict.class,
                            conflict -> assertThat(conflict.current().record()).contains(record(9)));
        }
    }

    @Test
    void a_500_is_unknown_and_the_request_is_not_repeated() {
        try (LeaseStore store = open()) {
            server.seen();
            server.next("PUT", Fault.answers(500, BROKEN));
            assertUnknown(store, "S3 answered 500 UnknownError");
            assertThat(server.seen()).hasSize(1);
            assertThat(store.read(election)).isEqualTo(VersionedLease.ABSENT);
            server.next("PUT", Fault.carriedOutBut(503, BROKEN));
            assertUnknown(store, "S3 answered 503");
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
    void a_call_to_a_hanging_server_times_out() {
        try (LeaseStore store = LeaseStore.open(url("&timeout-millis=700"))) {
            server.next("PUT", Fault.HANGS);
            long start = System.nanoTime();
            // The message shows whether the timeout of the call or of the socket expired first: "Timeout" or "timed
            // out".
            assertUnknown(store, "imed out", "Timeout");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(600), Duration.ofSeconds(60));
            server.next("GET", Fault.HANGS);
            assertThatThrownBy(() -> store.read(election))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("cannot be read: ");
        }
    }

    @Test
    void only_the_code_of_a_missing_key_means_absent() {
        try (LeaseStore store = open()) {
            server.next("GET", Fault.answers(404, ""));
            assertThatThrownBy(() -> store.read(election))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageEndingWith("S3 answered 404 without a code");
            server.next("PUT", Fault.answers(404, ""));
            assertUnknown(store, "S3 answered 404");
            assertThat(store.read(election)).isEqualTo(VersionedLease.ABSENT);
        }
    }

    @Test
    void a_missing_bucket_is_not_an_absent_lease() {
        assertThatThrownBy(() ->
                        LeaseStore.open("s3://doyen-no-such-bucket/p?endpoint=" + S3Mock.uri() + "&path-style=true"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageEndingWith("S3 answered 404 NoSuchBucket; create the bucket \"doyen-no-such-bucket\" first");
    }

    @Test
    void missing_rights_are_reported() {
        server.next("GET", Fault.answers(403, DENIED));
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining(
                        "S3 answered 403 AccessDenied; the credentials need s3:GetObject and s3:PutObject on "
                                + "the keys, and s3:ListBucket on bucket \"doyen-tests\"");
    }

    @Test
    void a_missing_right_to_write_is_reported() {
        try (LeaseStore store = open()) {
            server.next("PUT", Fault.answers(403, DENIED));
            assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)))
                    .isInstanceOfSatisfying(CasOutcome.Unknown.class, unknown -> {
                        assertThat(unknown.refused()).isTrue();
                        assertThat(unknown.reason())
                                .contains("S3 answered 403 AccessDenied; the credentials need s3:GetObject");
                    });
        }
    }

    @Test
    void a_server_without_conditional_writes_is_rejected_at_opening() {
        server.otherwise(Fault.withHeaders(Map.of("If-Match", "", "If-None-Match", "")));
        for (String url : List.of(url(""), url("&timeout-millis=5000"))) {
            assertThatThrownBy(() -> LeaseStore.open(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith("this service cannot store leases: it creates a record that exists already")
                    .hasMessageContaining("it writes over a version that is not the current one");
            assertThatThrownBy(() -> S3Fence.open(url)).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void a_server_with_only_if_none_match_is_rejected_at_opening() {
        server.otherwise(Fault.withHeaders(Map.of("If-Match", "")));
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("it writes over a version that is not the current one")
                .hasMessageContaining("it writes over a version of a record that does not exist");
    }

    @Test
    void a_server_that_compares_etags_without_quotes_works() {
        server.otherwise(request -> {
            String tag = request.header("If-Match");
            if (tag.isEmpty()) {
                request.pass();
            } else if (tag.startsWith("\"")) {
                Fault.answers(412, "<Error><Code>PreconditionFailed</Code></Error>")
                        .handle(request);
            } else {
                Fault.withHeaders(Map.of("If-Match", "\"" + tag + "\"")).handle(request);
            }
        });
        try (LeaseStore store = open()) {
            LeaseVersion first = written(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)));
            written(store.compareAndSet(election, first, record(2)));
            assertThat(store.compareAndSet(election, first, record(3))).isInstanceOf(CasOutcome.Conflict.class);
        }
    }

    @Test
    void a_missing_server_is_reported() {
        server.close();
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be read: ");
    }

    @Test
    void an_invalid_parameter_is_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStore.open("s3://bucket/p?region=No+Where"))
                .withMessageContaining("parameter region");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStore.open("s3://bucket/p?path-style=yes"))
                .withMessage("parameter path-style is neither true nor false");
    }

    @Test
    void an_object_larger_than_any_record_is_not_read() {
        try (LeaseStore store = open()) {
            written(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)));
            server.next("GET", Fault.answers(200, "x".repeat(300_000)));
            assertThatThrownBy(() -> store.read(election))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageEndingWith("it is larger than 262144 bytes");
        }
    }

    private LeaseStore open() {
        return LeaseStore.open(url(""));
    }

    private String url(String more) {
        return S3Mock.url(server.uri(), prefix) + more;
    }

    /** Asserts that the outcome is unknown and that its reason contains one of these words. */
    private void assertUnknown(LeaseStore store, String... reasons) {
        assertThat(store.compareAndSet(election, LeaseVersion.ABSENT, record(1)))
                .isInstanceOfSatisfying(
                        CasOutcome.Unknown.class,
                        unknown -> assertThat(Stream.of(reasons)).anyMatch(unknown.reason()::contains));
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
