package dev.doyen.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class MemoryFenceTest {

    @Test
    void a_lower_term_than_an_admitted_one_is_rejected_with_both_numbers() {
        Fence fence = Fence.inMemory();
        fence.admit("orders", 8);
        assertThatThrownBy(() -> fence.admit("orders", 7))
                .isInstanceOfSatisfying(StaleTermException.class, stale -> {
                    assertThat(stale.offered()).isEqualTo(7);
                    assertThat(stale.seen()).isEqualTo(8);
                })
                .hasMessage("\"orders\" refuses term 7: fence 7 < 8; a later leader has written already");
    }

    @Test
    void the_same_and_higher_terms_are_admitted() {
        Fence fence = Fence.inMemory();
        fence.admit("orders", 1);
        fence.admit("orders", 1);
        fence.admit("orders", 9);
        assertThatThrownBy(() -> fence.admit("orders", 1)).hasMessageContaining("fence 1 < 9");
    }

    @Test
    void a_rejected_term_does_not_lower_the_fence() {
        Fence fence = Fence.inMemory();
        fence.admit("orders", 8);
        assertThatThrownBy(() -> fence.admit("orders", 3)).isInstanceOf(StaleTermException.class);
        assertThatThrownBy(() -> fence.admit("orders", 7)).hasMessageContaining("fence 7 < 8");
    }

    @Test
    void resources_are_guarded_separately() {
        Fence fence = Fence.inMemory();
        fence.admit("orders", 8);
        fence.admit("billing", 1);
    }

    @Test
    void a_full_fence_rejects_a_new_resource_and_removes_none() {
        Fence fence = Fence.inMemory(2);
        fence.admit("a", 5);
        fence.admit("b", 5);
        assertThatThrownBy(() -> fence.admit("c", 5))
                .isInstanceOf(FenceFullException.class)
                .hasMessage("the fence remembers 2 resources, which is its limit, and \"c\" is not among them; "
                        + "raise the limit, or name fewer resources");
        fence.admit("a", 6);
        assertThatThrownBy(() -> fence.admit("b", 4)).isInstanceOf(StaleTermException.class);
        assertThatThrownBy(() -> fence.admit("c", 5))
                .as("a rejection neither stores nor removes a resource")
                .isInstanceOf(FenceFullException.class);
    }

    @Test
    void concurrent_threads_fill_it_exactly_to_its_limit() throws Exception {
        Fence fence = Fence.inMemory(100);
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                String resource = "r" + i;
                calls.add(() -> {
                    try {
                        fence.admit(resource, 1);
                        return true;
                    } catch (FenceFullException e) {
                        return false;
                    }
                });
            }
            int admitted = 0;
            for (Future<Boolean> each : pool.invokeAll(calls)) {
                admitted += each.get() ? 1 : 0;
            }
            assertThat(admitted).isEqualTo(100);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void an_invalid_term_or_name_is_rejected_before_anything_is_stored() {
        Fence fence = Fence.inMemory(1);
        assertThatThrownBy(() -> fence.admit("orders", 0)).hasMessage("term is 0; terms start at 1");
        assertThatThrownBy(() -> fence.admit("", 1)).hasMessageContaining("resource is empty");
        assertThatThrownBy(() -> fence.admit("x".repeat(256), 1)).hasMessageContaining("256 characters; at most 255");
        fence.admit("orders", 1);
    }

    @Test
    void a_fence_for_zero_resources_is_rejected() {
        assertThatThrownBy(() -> Fence.inMemory(0))
                .hasMessage("a fence for 0 resources guards nothing; at least 1 is needed");
    }
}
