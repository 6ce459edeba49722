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

/** Which writes the fence lets through, and what it does when the outcome of a write is unknown. */
class ObjectFenceTest {

    private static final String REPORT = "reports/today.csv";

    private final FakeObjects objects = new FakeObjects();
    private final ObjectFence fence = new ObjectFence(objects, "p/");

    @Test
    void a_leader_writes_and_the_object_remembers_the_term() {
        assertThat(fence.read(REPORT)).isEmpty();
        fence.write(REPORT, 7, bytes("one"));
        fence.write(REPORT, 7, bytes("two"));
        fence.write(REPORT, 8, bytes("three"));
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("three")));
        assertThat(objects.stored("p/reports/today.csv").content().text()).isEqualTo("three");
    }

    @Test
    void a_lower_term_than_the_one_that_wrote_is_refused() {
        fence.write(REPORT, 8, bytes("new"));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("old")))
                .isInstanceOfSatisfying(StaleTermException.class, stale -> {
                    assertThat(stale.offered()).isEqualTo(7);
                    assertThat(stale.seen()).isEqualTo(8);
                });
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("new")));
    }

    @Test
    void a_leader_that_is_paused_between_looking_and_writing_is_refused() {
        fence.write(REPORT, 7, bytes("old"));
        objects.beforeNextPut(() -> new ObjectFence(objects, "p/").write(REPORT, 8, bytes("new")));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("late"))).isInstanceOf(StaleTermException.class);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("new")));
    }

    @Test
    void a_leader_that_is_paused_while_it_computes_the_change_is_refused() {
        fence.write(REPORT, 7, bytes("old"));
        assertThatThrownBy(() -> fence.update(REPORT, 7, before -> {
                    new ObjectFence(objects, "p/").write(REPORT, 8, bytes("new"));
                    return bytes("late");
                }))
                .isInstanceOf(StaleTermException.class);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("new")));
    }

    @Test
    void a_leader_that_is_paused_before_the_object_is_there_is_refused_too() {
        objects.beforeNextPut(() -> new ObjectFence(objects, "p/").write(REPORT, 8, bytes("new")));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("late"))).isInstanceOf(StaleTermException.class);
    }

    @Test
    void admitting_a_term_keeps_the_content_and_shuts_the_leader_before_out() {
        fence.write(REPORT, 7, bytes("kept"));
        fence.admit(REPORT, 8);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, bytes("kept")));
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("late"))).isInstanceOf(StaleTermException.class);
        assertThatThrownBy(() -> fence.admit(REPORT, 7)).isInstanceOf(StaleTermException.class);
    }

    @Test
    void admitting_the_term_that_is_there_writes_nothing() {
        fence.admit(REPORT, 8);
        int puts = objects.puts();
        fence.admit(REPORT, 8);
        assertThat(objects.puts()).isEqualTo(puts);
        assertThat(fence.read(REPORT)).contains(new FencedContent(8, new byte[0]));
    }

    @Test
    void another_of_the_same_term_that_came_between_is_read_again() {
        fence.write(REPORT, 7, bytes("1"));
        objects.beforeNextPut(() -> new ObjectFence(objects, "p/").update(REPORT, 7, ObjectFenceTest::plusOne));
        fence.update(REPORT, 7, ObjectFenceTest::plusOne);
        assertThat(fence.read(REPORT)).contains(new FencedContent(7, bytes("3")));
    }

    @Test
    void a_write_that_was_made_without_an_answer_is_not_made_twice() {
        fence.write(REPORT, 7, bytes("1"));
        for (var told : List.of(FakeObjects.Told.MADE_BUT_UNANSWERED, FakeObjects.Told.MADE_BUT_REFUSED)) {
            objects.nextPut(told);
            fence.update(REPORT, 7, ObjectFenceTest::plusOne);
        }
        assertThat(fence.read(REPORT)).contains(new FencedContent(7, bytes("3")));
    }

    @Test
    void a_write_that_was_lost_is_made_again() {
        objects.nextPut(FakeObjects.Told.LOST);
        fence.write(REPORT, 7, bytes("one"));
        assertThat(fence.read(REPORT)).contains(new FencedContent(7, bytes("one")));
    }

    @Test
    void after_eight_attempts_it_gives_up_and_says_so() {
        for (int i = 0; i < 20; i++) {
            objects.nextPut(FakeObjects.Told.LOST);
        }
        assertThatThrownBy(() -> fence.write(REPORT, 7, bytes("one")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("\"reports/today.csv\" could not be written in 8 attempts, the last of which met: told to "
                        + "lose it; read it before deciding what became of them");
        assertThat(objects.puts()).isEqualTo(8);
    }

    @Test
    void what_a_plain_writer_left_has_seen_no_term_and_keeps_its_type_and_metadata() {
        objects.overwrite("p/a.json", ObjectContent.of(bytes("{}"), "application/json", Map.of("owner", "ops")));
        assertThat(fence.read("a.json")).contains(new FencedContent(0, bytes("{}")));
        fence.write("a.json", 3, bytes("[]"));
        ObjectContent content = objects.stored("p/a.json").content();
        assertThat(content.mediaType()).isEqualTo("application/json");
        assertThat(content.metadata()).containsEntry("owner", "ops").containsEntry("doyenterm", "3");
    }

    @Test
    void a_term_that_is_no_number_is_a_fault_and_never_term_0() {
        objects.overwrite("p/a", ObjectContent.of(bytes(""), "text/plain", Map.of("doyenterm", "many")));
        assertThatThrownBy(() -> fence.write("a", 3, bytes("x")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("\"a\" has metadata doyenterm that is no number; set it to the highest term known");
    }

    @Test
    void terms_names_and_sizes_have_bounds() {
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
    void a_change_is_computed_from_what_is_written_over() {
        var asked = new AtomicInteger();
        fence.update("count", 1, before -> {
            asked.incrementAndGet();
            assertThat(before).isEmpty();
            return bytes("1");
        });
        assertThat(asked).hasValue(1);
    }

    private static byte[] plusOne(byte[] before) {
        return bytes(Integer.toString(Integer.parseInt(new String(before, StandardCharsets.UTF_8)) + 1));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
