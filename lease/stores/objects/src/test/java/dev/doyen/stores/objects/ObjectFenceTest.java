package dev.doyen.stores.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.fence.StaleTermException;
import dev.doyen.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests which writes the fence admits, and how it handles a write with an unknown outcome. */
class ObjectFenceTest {

    private static final String REPORT = "reports/today.csv";

    private final FakeObjects objects = new FakeObjects();
    private final ObjectFence fence = new ObjectFence(objects, "p/");

    @Test
    void a_write_of_a_leader_stores_its_term_in_the_object() {
        assertThat(fence.read(REPORT)).isEmpty();
        fence.write(REPORT, 7, bytes("one"));
        fence.write(REPORT, 7, bytes("two"));
        fence.write(REPORT, 8, bytes("three"));
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("three")));
        assertThat(objects.stored("p/reports/today.csv").content().text()).isEqualTo("three");
    }

    @Test
    void a_lower_term_than_the_stored_one_is_rejected() {
        fence.write(REPORT, 8, bytes("new"));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("old")))
                .isInstanceOfSatisfying(StaleTermException.class, stale -> {
                    assertThat(stale.offered()).isEqualTo(7);
                    assertThat(stale.seen()).isEqualTo(8);
                });
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("new")));
    }

    @Test
    void a_leader_suspended_between_read_and_write_is_rejected() {
        fence.write(REPORT, 7, bytes("old"));
        objects.beforeNextPut(() -> new ObjectFence(objects, "p/").write(REPORT, 8, bytes("new")));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("late"))).isInstanceOf(StaleTermException.class);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("new")));
    }

    @Test
    void a_leader_suspended_during_its_computation_is_rejected() {
        fence.write(REPORT, 7, bytes("old"));
        assertThatThrownBy(() -> fence.update(REPORT, 7, before -> {
                    new ObjectFence(objects, "p/").write(REPORT, 8, bytes("new"));
                    return bytes("late");
                }))
                .isInstanceOf(StaleTermException.class);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("new")));
    }

    @Test
    void a_leader_suspended_before_the_object_was_created_is_rejected() {
        objects.beforeNextPut(() -> new ObjectFence(objects, "p/").write(REPORT, 8, bytes("new")));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("late"))).isInstanceOf(StaleTermException.class);
    }

    @Test
    void admitting_a_term_keeps_the_content_and_excludes_the_former_leader() {
        fence.write(REPORT, 7, bytes("kept"));
        fence.admit(REPORT, 8);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("kept")));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("late"))).isInstanceOf(StaleTermException.class);
        assertThatThrownBy(() -> fence.admit(REPORT, 7)).isInstanceOf(StaleTermException.class);
    }

    @Test
    void admitting_the_stored_term_writes_nothing() {
        fence.admit(REPORT, 8);
        int puts = objects.puts();
        fence.admit(REPORT, 8);
        assertThat(objects.puts()).isEqualTo(puts);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, new byte[0]));
    }

    @Test
    void a_concurrent_write_of_the_same_term_is_read_again() {
        fence.write(REPORT, 7, bytes("1"));
        objects.beforeNextPut(() -> new ObjectFence(objects, "p/").update(REPORT, 7, ObjectFenceTest::plusOne));
        fence.update(REPORT, 7, ObjectFenceTest::plusOne);
        assertThat(fence.read(REPORT)).contains(new FencedContent(7, bytes("3")));
    }

    @Test
    void a_write_that_succeeded_without_an_answer_is_not_repeated() {
        fence.write(REPORT, 7, bytes("1"));
        for (var fault : List.of(FakeObjects.PutFault.MADE_BUT_UNANSWERED, FakeObjects.PutFault.MADE_BUT_REFUSED)) {
            objects.nextPut(fault);
            fence.update(REPORT, 7, ObjectFenceTest::plusOne);
        }
        assertThat(fence.read(REPORT)).contains(new FencedContent(7, bytes("3")));
    }

    @Test
    void a_lost_write_is_repeated() {
        objects.nextPut(FakeObjects.PutFault.LOST);
        fence.write(REPORT, 7, bytes("one"));
        assertThat(fence.read(REPORT)).contains(new FencedContent(7, bytes("one")));
    }

    @Test
    void it_fails_with_a_message_after_eight_attempts() {
        for (int i = 0; i < 20; i++) {
            objects.nextPut(FakeObjects.PutFault.LOST);
        }
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("one")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage(
                        "\"reports/today.csv\" could not be written in 8 attempts; the last attempt failed with: lost "
                                + "on purpose; read the object to find the outcome");
        assertThat(objects.puts()).isEqualTo(8);
    }

    @Test
    void an_object_without_a_term_keeps_its_type_and_metadata() {
        objects.overwrite("p/a.json", ObjectContent.of(bytes("{}"), "application/json", Map.of("owner", "ops")));
        assertThat(fence.read("a.json")).contains(new FencedContent(0, bytes("{}")));
        fence.write("a.json", 3, bytes("[]"));
        ObjectContent content = objects.stored("p/a.json").content();
        assertThat(content.mediaType()).isEqualTo("application/json");
        assertThat(content.metadata()).containsEntry("owner", "ops").containsEntry("doyenterm", "3");
    }

    @Test
    void an_invalid_stored_term_is_a_fault_and_not_term_0() {
        objects.overwrite("p/a", ObjectContent.of(bytes(""), "text/plain", Map.of("doyenterm", "many")));
        assertThatThrownBy(() -> fence.write("a", 3, bytes("x")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("\"a\" has metadata doyenterm that is not a number; set it to the highest known term");
    }

    @Test
    void terms_names_and_sizes_are_limited() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fence.admit("a", 0))
                .withMessage("term is 0; terms start at 1");
        for (String bad : List.of("", "a/../b", "..", "/a", "a/", "a//b", "./a", "a\nb", "x".repeat(256))) {
            assertThatIllegalArgumentException().as(bad).isThrownBy(() -> fence.admit(bad, 1));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ObjectFence(objects, "p".repeat(600)).admit("\u20ac".repeat(200), 1))
                .withMessageContaining("has 1200 bytes; at most 1024");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fence.write("a", 1, new byte[ObjectFence.MAX_BYTES + 1]))
                .withMessageContaining("would have 16777217 bytes; at most 16777216 are guarded");
        assertThat(objects.puts()).isZero();
    }

    @Test
    void a_change_is_computed_from_the_content_that_it_replaces() {
        var calls = new AtomicInteger();
        fence.update("count", 1, before -> {
            calls.incrementAndGet();
            assertThat(before).isEmpty();
            return bytes("1");
        });
        assertThat(calls).hasValue(1);
    }

    private static byte[] plusOne(byte[] before) {
        return bytes(Integer.toString(Integer.parseInt(new String(before, StandardCharsets.UTF_8)) + 1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
