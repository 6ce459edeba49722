package dev.doyen.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultLogTest {

    private static final Logger LOGGER = Logger.getLogger("dev.doyen.faults");

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen.faults"));
    private final List<String> lines = new ArrayList<>();
    private boolean appenderFails;

    private final Handler appender = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
            if (appenderFails) {
                throw new OutOfMemoryError("on purpose");
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(appender);
    }

    @AfterEach
    void close() {
        LOGGER.removeHandler(appender);
    }

    @Test
    void each_kind_is_logged_once() {
        for (int i = 0; i < 3; i++) {
            assertThat(faults.survives("a step", FaultLogTest::fail)).isFalse();
            assertThat(faults.survives("another step", FaultLogTest::fail)).isFalse();
        }
        assertThat(faults.survives("a step", () -> {})).isTrue();

        assertThat(lines)
                .containsExactly(
                        "a step failed; the program continues. Further faults of this kind are not logged",
                        "another step failed; the program continues. Further faults of this kind are not logged");
    }

    @Test
    void a_part_that_recovered_is_logged_at_its_next_fault() {
        faults.survives("a step", FaultLogTest::fail);
        faults.works("a step");
        faults.survives("a step", FaultLogTest::fail);

        assertThat(lines).hasSize(2);
    }

    @Test
    void the_number_of_remembered_kinds_is_limited() {
        for (int i = 0; i < FaultLog.MAX_KINDS + 5; i++) {
            faults.report("step " + i, new IllegalStateException("on purpose"));
        }
        assertThat(lines).hasSize(FaultLog.MAX_KINDS);
    }

    @Test
    void a_failing_appender_does_not_end_the_loop() {
        appenderFails = true;
        var after = new ArrayList<String>();
        faults.runAll("a step", List.of(FaultLogTest::fail, () -> after.add("the next")));

        assertThat(after).containsExactly("the next");
    }

    @Test
    void the_root_cause_is_the_innermost_one() {
        var root = new IllegalStateException("the reason");

        assertThat(FaultLog.rootCause(new RuntimeException(new RuntimeException(root))))
                .isSameAs(root);
        assertThat(FaultLog.rootCause(root)).isSameAs(root);
    }

    private static void fail() {
        throw new OutOfMemoryError("on purpose");
    }
}
