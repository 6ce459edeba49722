package dev.doyen.stores.azureblob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.fence.StaleTermException;
import dev.doyen.stores.objects.HttpFaults;
import dev.doyen.stores.objects.HttpFaults.Fault;
import dev.doyen.stores.objects.ObjectFence;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the fence on Azurite. ObjectFenceTest tests the fence's decisions in memory. */
class BlobFenceTest {

    private final String resource = "reports/ünter uns 100% " + UUID.randomUUID() + ".csv";

    @BeforeAll
    static void azurite() {
        assumeTrue(AzuriteContainer.isThere(), "Azurite is not installed; run npm ci");
    }

    @Test
    void a_former_leader_is_rejected_by_the_blob() {
        try (ObjectFence fence = AzuriteContainer.fence(AzuriteContainer.url(AzuriteContainer.server(), "fenced"))) {
            fence.write(resource, 7, bytes("seven"));
            fence.admit(resource, 8);
            assertThatThrownBy(() -> fence.write(resource, 7, bytes("late")))
                    .isInstanceOf(StaleTermException.class)
                    .hasMessageContaining("fence 7 < 8");
            assertThat(fence.read(resource).orElseThrow().bytes()).isEqualTo(bytes("seven"));
            assertThat(fence.read(resource).orElseThrow().term()).isEqualTo(8);
            var plain = BlobPlace.of(
                            AzuriteContainer.url(AzuriteContainer.server(), "fenced"), AzuriteContainer.ENVIRONMENT)
                    .client();
            assertThat(plain.getBlobClient("fenced/" + resource)
                            .downloadContent()
                            .toBytes())
                    .as("another client reads the content under the same name")
                    .isEqualTo(bytes("seven"));
        }
    }

    @Test
    void a_leader_suspended_during_its_write_is_rejected() {
        try (HttpFaults server = HttpFaults.before(AzuriteContainer.server());
                ObjectFence stale = AzuriteContainer.fence(AzuriteContainer.url(server.uri(), "fenced"));
                ObjectFence present =
                        AzuriteContainer.fence(AzuriteContainer.url(AzuriteContainer.server(), "fenced"))) {
            stale.write(resource, 7, bytes("seven"));
            server.next("PUT", request -> {
                present.write(resource, 8, bytes("eight"));
                request.pass();
            });
            assertThatThrownBy(() -> stale.write(resource, 7, bytes("late"))).isInstanceOf(StaleTermException.class);
            assertThat(present.read(resource).orElseThrow().bytes()).isEqualTo(bytes("eight"));
        }
    }

    @Test
    void a_write_whose_answer_was_lost_is_detected() {
        try (HttpFaults server = HttpFaults.before(AzuriteContainer.server());
                ObjectFence fence = AzuriteContainer.fence(AzuriteContainer.url(server.uri(), "fenced"))) {
            server.seen();
            server.next("PUT", Fault.ANSWER_LOST);
            fence.write(resource, 7, bytes("seven"));
            assertThat(server.seen()).filteredOn(line -> line.startsWith("PUT")).hasSize(1);
            assertThat(fence.read(resource).orElseThrow().term()).isEqualTo(7);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
