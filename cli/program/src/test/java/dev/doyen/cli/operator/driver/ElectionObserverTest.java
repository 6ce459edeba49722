package dev.doyen.cli.operator.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Elections;
import dev.doyen.cli.operator.ObservedElection.State;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class ElectionObserverTest {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

    /**
     * Tests rule L12. The lease of a session does not change, and the renewals of the session prove that the holder
     * still leads.
     */
    @Test
    void the_renewals_of_a_session_show_that_its_leases_are_held() throws Exception {
        try (var store = LeaseStore.open("memory:observer-session");
                var elections = Elections.lease()
                        .store(store)
                        .ttl(Duration.ofSeconds(2))
                        .open();
                var member = elections.named("e").join("a");
                var observer = new ElectionObserver(store, "e")) {
            var seen = observer.follow(
                            TIME_LIMIT,
                            (observed, nanos) ->
                                    observed.state(nanos) == State.LED ? Optional.of(observed) : Optional.empty())
                    .orElseThrow();

            assertThat(member.id()).isEqualTo("a");
            assertThat(seen.snapshot().session()).isPresent();
            assertThat(seen.ttl()).isEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void the_wait_for_an_observation_is_limited() throws Exception {
        try (var store = LeaseStore.open("memory:observer-maxWait");
                var observer = new ElectionObserver(store, "e")) {
            assertThat(observer.follow(Duration.ofMillis(30), (observed, nanos) -> Optional.<String>empty()))
                    .isEmpty();
            assertThat(observer.latest().state(0)).isEqualTo(State.NEVER_LED);
        }
    }
}
