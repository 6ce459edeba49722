package dev.doyen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.HealthCheck;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the limits of settings, and the messages for invalid settings. */
class SettingsTest {

    @Test
    void an_election_needs_a_store() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease("orders").open())
                .withMessageContaining("election \"orders\" has no store; name one, such as store(\"file:");
    }

    @Test
    void names_are_limited() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease(""))
                .withMessage("election name is empty; it needs 1 to 255 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease("x".repeat(256)))
                .withMessageContaining("has 256 characters; at most 255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease("a\nb"))
                .withMessageContaining("U+000A at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease("a\uD83Db"))
                .withMessageContaining("U+D83D at index 1");
        try (Election election =
                Election.lease("x".repeat(255)).store("memory:names").open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> election.join(""))
                    .withMessageContaining("candidate id is empty");
            assertThat(election.join("\uD83D\uDC51").id()).isEqualTo("\uD83D\uDC51");
        }
    }

    @Test
    void durations_are_checked_against_each_other() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease("orders").ttl(Duration.ofMillis(50)))
                .withMessage("ttl is 50 ms; its bounds are 200 ms and 1 h");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease("orders").ttl(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessage("ttl is PT2562047788015215H30M7S; its bounds are 200 ms and 1 h");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Election.lease("orders").ttl(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageStartingWith("ttl is PT-2562047788015215H-30M-8S; its bounds");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HealthCheck.of(() -> true).every(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("choose 10 ms to 1 h");
        var ok = LeaseTiming.ofTtl(Duration.ofSeconds(10));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseTiming(
                        ok.ttl(),
                        Duration.ofSeconds(9),
                        ok.renewEvery(),
                        ok.requestTimeout(),
                        ok.pollEvery(),
                        ok.watchedPollEvery(),
                        ok.resignCooldown()))
                .withMessageContaining(
                        "deadline is 9000 ms; the renewal deadline is at most 0.8 of the ttl (10000 ms)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseTiming(
                        ok.ttl(),
                        ok.deadline(),
                        Duration.ofSeconds(3),
                        ok.requestTimeout(),
                        ok.pollEvery(),
                        ok.watchedPollEvery(),
                        ok.resignCooldown()))
                .withMessageContaining("renewEvery is 3000 ms; it is at most a third of the deadline (8000 ms)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseTiming(
                        ok.ttl(),
                        ok.deadline(),
                        ok.renewEvery(),
                        Duration.ofSeconds(5),
                        ok.pollEvery(),
                        ok.watchedPollEvery(),
                        ok.resignCooldown()))
                .withMessageContaining("requestTimeout is 5000 ms; it is at most half the deadline");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseTiming(
                        ok.ttl(),
                        ok.deadline(),
                        ok.renewEvery(),
                        ok.requestTimeout(),
                        Duration.ofSeconds(11),
                        ok.watchedPollEvery(),
                        ok.resignCooldown()))
                .withMessageContaining("pollEvery is 11000 ms; it is at most the ttl");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ok.withResignCooldown(Duration.ofHours(2)))
                .withMessageContaining("resignCooldown is 7200000 ms");
    }

    @Test
    void an_invalid_store_url_is_rejected_and_not_printed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStore.open("jdbc:postgresql://me:secret@db/x"))
                .withMessage("no store for \"jdbc:\" on the class path; add dev.doyen:doyen-store-jdbc,"
                        + " or use one of file:, memory:, shared-file:");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStore.open("/var/lib/doyen"))
                .withMessage("the URL of the store has no scheme; use a URL such as file:/var/lib/doyen or memory:");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStore.open("file:"))
                .withMessageContaining("file: needs a directory");
        assertThatThrownBy(() -> LeaseStore.open("file:/dev/null/x"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("/dev/null/x cannot be written");
    }

    @Test
    void required_fencing_needs_a_store_that_never_loses_a_term() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fenced(new LeaseStore.Promises(false, true, "one JVM")))
                .withMessageStartingWith("election \"orders\" requires fencing, but its store (one JVM)"
                        + " may lose a term that it has confirmed; use a durable store");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        fenced(new LeaseStore.Promises(false, true, "one server", List.of("Set fsync.", "Read X."))))
                .withMessageContaining(
                        "may lose a term that it has confirmed: Set fsync. Read X.; use a durable store");
        fenced(new LeaseStore.Promises(true, true, "one server")).close();
    }

    private static Election fenced(LeaseStore.Promises promises) {
        var store = new ForwardingLeaseStore(new MemoryLeaseStore()) {
            @Override
            public VersionedLease read(String election) {
                return behind().read(election);
            }

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                return behind().compareAndSet(election, expected, next);
            }

            @Override
            public LeaseStore.Promises promises() {
                return promises;
            }
        };
        return Election.lease("orders").store(store).fencing(Fencing.REQUIRED).open();
    }

    @Test
    void each_loop_has_its_own_random_seed() {
        LeaseSettings.Opened opened =
                Election.lease("orders").store(new MemoryLeaseStore()).open("election \"orders\"", each -> each);
        assertThat(opened.seeds().getAsLong()).isNotEqualTo(opened.seeds().getAsLong());
        opened.close();
    }

    @Test
    void saved_state_is_limited() {
        assertThat(SavedState.of(new byte[64 * 1024]).bytes()).hasSize(64 * 1024);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SavedState.of(new byte[64 * 1024 + 1]))
                .withMessageContaining("has 65537 bytes; at most 65536");
    }

    @Test
    void a_closed_election_accepts_no_candidate() {
        Election election = Election.lease("orders").store("memory:closed").open();
        election.close();
        election.close();
        assertThatThrownBy(() -> election.join("n1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("election \"orders\" is closed");
    }
}
