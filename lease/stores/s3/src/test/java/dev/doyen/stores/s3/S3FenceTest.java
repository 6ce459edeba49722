package dev.doyen.stores.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.fence.StaleTermException;
import dev.doyen.stores.objects.HttpFaults;
import dev.doyen.stores.objects.HttpFaults.Fault;
import dev.doyen.stores.objects.ObjectFence;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the fence on a real server. ObjectFenceTest tests the fence's decisions in memory. */
class S3FenceTest {

    private final String resource = "reports/ünter uns " + UUID.randomUUID() + ".csv";

    @Test
    void a_former_leader_is_rejected_by_the_object() {
        try (ObjectFence fence = S3Fence.open(S3Mock.patientUrl(S3Mock.uri(), "fenced"))) {
            fence.write(resource, 7, bytes("seven"));
            fence.admit(resource, 8);
            assertThatThrownBy(() -> fence.write(resource, 7, bytes("late")))
                    .isInstanceOf(StaleTermException.class)
                    .hasMessageContaining("fence 7 < 8");
            assertThat(new String(fence.read(resource).orElseThrow().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("seven");
            assertThat(fence.read(resource).orElseThrow().term()).isEqualTo(8);
        }
    }

    @Test
    void a_leader_suspended_during_its_write_is_rejected() {
        try (HttpFaults server = HttpFaults.before(S3Mock.uri());
                ObjectFence stale = S3Fence.open(S3Mock.patientUrl(server.uri(), "fenced"));
                ObjectFence present = S3Fence.open(S3Mock.patientUrl(S3Mock.uri(), "fenced"))) {
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
        try (HttpFaults server = HttpFaults.before(S3Mock.uri());
                ObjectFence fence = S3Fence.open(S3Mock.patientUrl(server.uri(), "fenced"))) {
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
