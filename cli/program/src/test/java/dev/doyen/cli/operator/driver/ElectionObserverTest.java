package dev.doyen.cli.operator.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Elections;
import dev.doyen.cli.operator.Sighting.Standing;
import dev.doyen.store.LeaseStores;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class OnlookerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Rule L12: such a lease does not change, and the renewals of its session show that the holder lives. */
    @Test
    void a_lease_held_under_a_session_is_seen_to_live_by_its_session() throws Exception {
        try (var store = LeaseStores.open("memory:onlooker-session");
                var elections = Elections.lease()
                        .store(store)
                        .ttl(Duration.ofSeconds(2))
                        .open();
                var member = elections.named("e").join("a");
                var onlooker = new Onlooker(store, "e")) {
            var seen = onlooker.follow(
                            PATIENCE,
                            (sighting, nanos) ->
                                    sighting.standing(nanos) == Standing.LED ? Optional.of(sighting) : Optional.empty())
                    .orElseThrow();

            assertThat(member.id()).isEqualTo("a");
            assertThat(seen.look().session()).isPresent();
            assertThat(seen.ttl()).isEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void patience_ends() throws Exception {
        try (var store = LeaseStores.open("memory:onlooker-patience");
                var onlooker = new Onlooker(store, "e")) {
            assertThat(onlooker.follow(Duration.ofMillis(30), (sighting, nanos) -> Optional.<String>empty()))
                    .isEmpty();
            assertThat(onlooker.latest().standing(0)).isEqualTo(Standing.NEVER_LED);
        }
    }
}
