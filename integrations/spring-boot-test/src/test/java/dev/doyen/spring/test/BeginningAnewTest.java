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

/**
 * Tests that elections are reset before each test method. The test methods share one context, and each method changes
 * the state of the elections.
 */
@SpringBootTest(properties = {"doyen.store=no-such-store:", "doyen.elections.orders.ttl=10s"})
@AutoConfigureFakeElections
class BeginningAnewTest {

    @Autowired
    private FakeElections fakes;

    @Autowired
    private LeaderElections elections;

    @RepeatedTest(6)
    void each_test_starts_with_reset_elections(RepetitionInfo repetition) {
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
            default -> fakes.named("orders").storeUnavailable();
        }
    }

    /**
     * Checks that the store is available again after the last test, which made it unavailable. Otherwise the context
     * could close slowly, because a leader whose store is unavailable leaves slowly.
     */
    @AfterAll
    static void the_store_answers_again_after_the_last_test(@Autowired FakeElections fakes) {
        assertThat(fakes.named("orders").leader())
                .as("the leader of the last test still leads")
                .isPresent();
        fakes.named("orders").pass(Duration.ofMinutes(1));
        assertThat(fakes.named("orders").leader())
                .as("the lease has not expired")
                .isPresent();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}
}
