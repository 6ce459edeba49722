package dev.doyen.elector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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
