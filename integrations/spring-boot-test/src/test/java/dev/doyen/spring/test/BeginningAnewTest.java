package dev.doyen.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.spring.LeaderElections;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

/** The tests share one context, and each leaves its elections in another state. */
@SpringBootTest(properties = {"doyen.store=no-such-store:", "doyen.elections.orders.ttl=10s"})
@AutoConfigureFakeElections
class BeginningAnewTest {

    @Autowired
    private FakeElections fakes;

    @Autowired
    private LeaderElections elections;

    @RepeatedTest(6)
    void each_test_finds_the_elections_as_they_were_in_the_beginning(RepetitionInfo repetition) {
        assertThat(elections.isLeader("orders")).isFalse();
        assertThat(elections.candidate("orders").orElseThrow().leader())
                .hasValueSatisfying(leader -> assertThat(leader.id()).isEqualTo("somebody-else"));
        fakes.grant("orders");
        assertThat(elections.isLeader("orders")).isTrue();
        switch (repetition.getCurrentRepetition()) {
            case 1 -> {}
            case 2 -> fakes.named("orders").lose(LossCause.PAUSED);
            case 3 -> fakes.named("orders").loseTo("n7");
            case 4 -> fakes.named("orders").letRun();
            case 5 -> fakes.named("orders").jeopardy();
            default -> fakes.named("orders").storeAway();
        }
    }

    /** A leader whose store is away leaves slowly, and the context may be closed after any test. */
    @AfterAll
    static void its_store_answers_again(@Autowired FakeElections fakes) {
        assertThat(fakes.named("orders").leader()).as("of the last test").isPresent();
        fakes.named("orders").pass(Duration.ofMinutes(1));
        assertThat(fakes.named("orders").leader())
                .as("its lease did not run out")
                .isPresent();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}
}
