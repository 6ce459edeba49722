package dev.doyen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrafficTest {

    private static final String LINES = """
            ESTAB  0      0            127.0.0.1:10    127.0.0.1:20    users:(("etcd",pid=1,fd=4)) bbr segs_out:9 data_segs_out:7
            ESTAB  0      0   [::ffff:127.0.0.1]:20 [::ffff:127.0.0.1]:10 users:(("java",pid=2,fd=4)) bbr data_segs_out:30
            ESTAB  0      0            127.0.0.1:11    127.0.0.1:21    users:(("java",pid=2,fd=5)) bbr data_segs_out:100
            ESTAB  0      0            127.0.0.1:21    127.0.0.1:11    users:(("java",pid=2,fd=6)) bbr data_segs_out:200
            ESTAB  0      0            127.0.0.1:12    127.0.0.1:22    users:(("java",pid=2,fd=7)) bbr data_segs_out:1000
            ESTAB  0      0            127.0.0.1:22    127.0.0.1:12    users:(("bench",pid=3,fd=4)) bbr data_segs_out:2000
            LISTEN 0      128          127.0.0.1:10      0.0.0.0:*     users:(("etcd",pid=1,fd=3))
            """;

    @Test
    void only_connections_between_two_of_the_processes_count_and_both_directions_do() {
        assertThat(Traffic.between(Set.of(1L, 2L), LINES).segments())
                .isEqualTo(Map.of("127.0.0.1:10 127.0.0.1:20", 7L, "127.0.0.1:20 127.0.0.1:10", 30L));
    }

    @Test
    void only_bytes_after_the_start_are_counted() {
        var earlier = new Traffic(Map.of("a b", 5L, "b a", 2L));

        assertThat(new Traffic(Map.of("a b", 9L, "c d", 3L)).since(earlier)).isEqualTo(7);
    }

    @Test
    void a_connection_that_has_sent_nothing_yet_has_no_counter() {
        String lines = """
                ESTAB 0 0 127.0.0.1:10 127.0.0.1:20 users:(("a",pid=1,fd=4)) bbr segs_out:1
                ESTAB 0 0 127.0.0.1:20 127.0.0.1:10 users:(("b",pid=2,fd=4)) bbr data_segs_out:4
                """;

        assertThat(Traffic.between(Set.of(1L, 2L), lines).segments().values()).containsExactlyInAnyOrder(0L, 4L);
    }
}
