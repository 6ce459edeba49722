package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuorumSearchTest {

    private static final QuorumEndpoint SELF = new QuorumEndpoint("a", "a:7800", "d");

    private final ManualTime time = new ManualTime();
    private int introductions;

    @Test
    void a_search_continues_after_a_failed_attempt() {
        var wire = new DroppingWire();
        var search = new QuorumSearch(
                this::introduction,
                List.of("a:7800", "b:7800"),
                new UrgentRequests(new Requests(wire), time),
                time,
                (group, founders) -> {});
        assertThatThrownBy(() -> search.run(() -> false)).hasMessage("the first attempt fails");
        time.run(Duration.ofSeconds(1));
        assertThat(wire.sent).isPositive();
    }

    private Introduction introduction() {
        introductions++;
        if (introductions == 1) {
            throw new IllegalStateException("the first attempt fails");
        }
        return new Introduction(SELF, "", List.of(), false);
    }
}
