package dev.doyen.elector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProbesTest {

    private final KnownElections elections = new KnownElections();
    private final Probes probes = new Probes(elections, "orders");

    @Test
    void healthz_is_ok_when_the_program_answers() {
        assertThat(answer("GET", "/healthz").status()).isEqualTo(200);
        assertThat(answer("GET", "/healthz").body()).isEqualTo("ok");
    }

    @Test
    void healthz_waits_until_the_program_is_ready() {
        var started = new boolean[1];
        var gated = new Probes(
                elections, "orders", Probes.untilStarted(() -> started[0], "orders"), List::of, Optional.empty());
        var request = ElectorRequest.of("GET", "/healthz", Map.of());

        assertThat(gated.answer(request).status()).isEqualTo(503);
        started[0] = true;
        assertThat(gated.answer(request).status()).isEqualTo(200);
    }

    @Test
    void readyz_fails_during_shutdown_and_healthz_does_not() {
        elections.set(KnownElections.unled("orders", 0));
        var obstacles = new ArrayList<String>();
        var ending = new Probes(elections, "orders", Optional::empty, () -> obstacles, Optional.empty());
        var request = ElectorRequest.of("GET", "/readyz", Map.of());

        assertThat(ending.answer(request).status()).isEqualTo(200);
        obstacles.add(Probes.SHUTTING_DOWN);
        assertThat(ending.answer(request).status()).isEqualTo(503);
        assertThat(ending.answer(request).body()).contains("shutting down");
        assertThat(ending.answer(ElectorRequest.of("GET", "/healthz", Map.of())).status())
                .isEqualTo(200);
    }

    @Test
    void readyz_reports_each_failed_check_on_its_own_line() {
        var broken = new Probes(
                elections, "orders", Optional::empty, () -> List.of("the disk is full", "no store"), Optional.empty());
        var response = broken.answer(ElectorRequest.of("GET", "/readyz", Map.of()));

        assertThat(response.status()).isEqualTo(503);
        assertThat(response.body())
                .isEqualTo("the disk is full\nno store\nnothing is known yet about the election \"orders\"");
    }

    @Test
    void metrics_are_served_if_the_program_has_any() {
        var metered = new Probes(elections, "orders", Optional::empty, List::of, Optional.of(() -> "up 1\n"));
        var response = metered.answer(ElectorRequest.of("GET", "/metrics", Map.of()));

        assertThat(response.body()).isEqualTo("up 1\n");
        assertThat(response.headers()).containsEntry("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer("GET", "/metrics").status()).isEqualTo(404);
    }

    @Test
    void readyz_waits_for_the_default_election_to_be_known() {
        assertThat(answer("GET", "/readyz").status()).isEqualTo(503);

        elections.set(KnownElections.unled("orders", 0));

        assertThat(answer("GET", "/readyz").status()).isEqualTo(200);
    }

    @Test
    void other_paths_and_methods_are_rejected() {
        assertThat(answer("GET", "/").status()).isEqualTo(404);
        assertThat(answer("POST", "/healthz").status()).isEqualTo(405);
    }

    private ElectorResponse answer(String method, String target) {
        return probes.answer(ElectorRequest.of(method, target, Map.of()));
    }
}
