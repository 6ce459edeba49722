package dev.doyen.elector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProbesTest {

    private final KnownElections elections = new KnownElections();
    private final Probes probes = new Probes(elections, "orders");

    @Test
    void healthz_is_ok_as_soon_as_somebody_answers() {
        assertThat(answer("GET", "/healthz").status()).isEqualTo(200);
        assertThat(answer("GET", "/healthz").body()).isEqualTo("ok");
    }

    @Test
    void healthz_waits_until_others_may_count_on_the_program() {
        var started = new boolean[1];
        var gated = new Probes(elections, "orders", () -> started[0], () -> false, Optional.empty());
        var ask = ElectorRequest.of("GET", "/healthz", Map.of());

        assertThat(gated.answer(ask).status()).isEqualTo(503);
        started[0] = true;
        assertThat(gated.answer(ask).status()).isEqualTo(200);
    }

    @Test
    void readyz_says_when_the_program_is_about_to_end_and_healthz_does_not_mind() {
        elections.know(KnownElections.unled("orders", 0));
        var leaving = new boolean[1];
        var ending = new Probes(elections, "orders", () -> true, () -> leaving[0], Optional.empty());
        var ask = ElectorRequest.of("GET", "/readyz", Map.of());

        assertThat(ending.answer(ask).status()).isEqualTo(200);
        leaving[0] = true;
        assertThat(ending.answer(ask).status()).isEqualTo(503);
        assertThat(ending.answer(ask).body()).contains("about to end");
        assertThat(ending.answer(ElectorRequest.of("GET", "/healthz", Map.of())).status())
                .isEqualTo(200);
    }

    @Test
    void metrics_are_there_where_there_are_any() {
        var metered = new Probes(elections, "orders", () -> true, () -> false, Optional.of(() -> "up 1\n"));
        var response = metered.answer(ElectorRequest.of("GET", "/metrics", Map.of()));

        assertThat(response.body()).isEqualTo("up 1\n");
        assertThat(response.headers()).containsEntry("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer("GET", "/metrics").status()).isEqualTo(404);
    }

    @Test
    void readyz_waits_for_the_default_election_to_be_known() {
        assertThat(answer("GET", "/readyz").status()).isEqualTo(503);

        elections.know(KnownElections.unled("orders", 0));

        assertThat(answer("GET", "/readyz").status()).isEqualTo(200);
    }

    @Test
    void other_paths_and_methods_are_refused() {
        assertThat(answer("GET", "/").status()).isEqualTo(404);
        assertThat(answer("POST", "/healthz").status()).isEqualTo(405);
    }

    private ElectorResponse answer(String method, String target) {
        return probes.answer(ElectorRequest.of(method, target, Map.of()));
    }
}
