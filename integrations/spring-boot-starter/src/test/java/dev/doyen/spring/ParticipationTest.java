package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Candidate;
import dev.doyen.testkit.FakeElection;
import dev.doyen.testkit.RefusableThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests a leader whose work cannot be started, and a leader whose listeners throw an Error. */
class ParticipationTest {

    private final AtomicBoolean refusing = new AtomicBoolean(true);
    private final CountDownLatch works = new CountDownLatch(1);
    private final List<Object> published = new ArrayList<>();

    private final Participation participation = new Participation(
            "orders",
            event -> {
                published.add(event);
                throw new OutOfMemoryError("on purpose");
            },
            new RefusableThreads(refusing::get));

    @Test
    void a_leader_without_a_thread_resigns_and_works_in_the_next_term() throws Exception { // L8
        try (var fake = FakeElection.named("orders")) {
            participation.onElected((leadership, cause) -> works.countDown());
            Candidate<?> candidate = participation.join(() -> {}, name -> fake.election(), "a", List.of());
            fake.grant(candidate);
            assertThat(candidate.isLeader()).as("a leader works or resigns").isFalse();

            refusing.set(false);
            fake.pass(Duration.ofMinutes(1));
            fake.grant(candidate);
            assertThat(candidate.isLeader()).isTrue();
            assertThat(works.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(published)
                    .as("all events are published although each listener throws")
                    .hasSizeGreaterThan(2);
        }
    }
}
