package dev.doyen.stores.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.RefusableThreads;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SideBySideTest {

    @Test
    void without_threads_the_caller_makes_all_calls() { // L8
        try (var calls = new SideBySide(new RefusableThreads(() -> true))) {
            List<Integer> items = IntStream.range(0, 50).boxed().toList();

            assertThat(calls.each(items, item -> item)).isEqualTo(items);
        }
    }
}
