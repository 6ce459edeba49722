package dev.doyen.hub.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that {@link FewSet} and {@link FewMap} behave like the JDK's collections. */
class FewTest {

    private static final int STEPS = 20_000;
    private static final int VALUES = 4;

    @Test
    void a_set_behaves_like_a_linked_hash_set() {
        Random random = new Random(1);
        Set<Integer> few = new FewSet<>();
        Set<Integer> known = new LinkedHashSet<>();
        for (int step = 0; step < STEPS; step++) {
            Integer value = random.nextInt(VALUES);
            switch (random.nextInt(10)) {
                case 0 -> {
                    few.clear();
                    known.clear();
                }
                case 1, 2, 3, 4 -> assertThat(few.remove(value)).isEqualTo(known.remove(value));
                default -> assertThat(few.add(value)).isEqualTo(known.add(value));
            }
            assertThat(new ArrayList<>(few)).isEqualTo(new ArrayList<>(known));
            assertThat(few).hasSize(known.size()).isEqualTo(known);
            assertThat(few.contains(value)).isEqualTo(known.contains(value));
            assertThat(few.isEmpty()).isEqualTo(known.isEmpty());
        }
    }

    @Test
    void a_map_behaves_like_a_linked_hash_map() {
        Random random = new Random(2);
        Map<Integer, String> few = new FewMap<>();
        Map<Integer, String> known = new LinkedHashMap<>();
        for (int step = 0; step < STEPS; step++) {
            Integer key = random.nextInt(VALUES);
            switch (random.nextInt(10)) {
                case 0 -> {
                    few.clear();
                    known.clear();
                }
                case 1, 2, 3, 4 -> assertThat(few.remove(key)).isEqualTo(known.remove(key));
                default -> {
                    String value = "v" + step;
                    assertThat(few.put(key, value)).isEqualTo(known.put(key, value));
                }
            }
            assertThat(new ArrayList<>(few.entrySet())).isEqualTo(new ArrayList<>(known.entrySet()));
            assertThat(new ArrayList<>(few.values())).isEqualTo(new ArrayList<>(known.values()));
            assertThat(few.get(key)).isEqualTo(known.get(key));
            assertThat(few.containsKey(key)).isEqualTo(known.containsKey(key));
            assertThat(few).hasSize(known.size());
        }
    }

    @Test
    void iterators_do_not_support_remove() {
        Set<Integer> one = new FewSet<>();
        one.add(1);
        Set<Integer> two = new FewSet<>();
        two.add(1);
        two.add(2);
        for (Set<Integer> each : Set.of(one, two)) {
            var iterator = each.iterator();
            iterator.next();
            assertThatThrownBy(iterator::remove).isInstanceOf(UnsupportedOperationException.class);
        }
    }
}
