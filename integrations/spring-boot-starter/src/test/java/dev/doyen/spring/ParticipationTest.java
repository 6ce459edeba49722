package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.client.Elector;
import dev.doyen.election.Candidate;
import dev.doyen.event.Explanation;
import dev.doyen.testkit.FakeElection;
import dev.doyen.testkit.RefusableThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests a leader whose work cannot be started, and listeners and observers that throw an Error. */
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

    @Test
    void a_leader_beside_an_elector_without_a_thread_works_as_soon_as_a_thread_can_start() throws Exception { // L8
        var starts = new CountDownLatch(2);
        var beside = new Participation("orders", event -> {}, new RefusableThreads(() -> {
            starts.countDown();
            return starts.getCount() > 0;
        }));
        try (var elector = new StandInElector("orders")) {
            beside.onElected((leadership, cause) -> works.countDown());
            beside.join(() -> {}, name -> electorElection(name, elector), "me", List.of());
            elector.names("me", 7);

            assertThat(works.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            beside.close();
        }
    }

    @Test
    void a_candidate_whose_observer_throws_leaves_and_the_application_can_join_again() throws Exception { // L8
        refusing.set(false);
        participation.onElected((leadership, cause) -> works.countDown());
        var observed = new ArrayList<Candidate<?>>();
        List<CandidateObserver> observers = List.of(
                joined -> () -> {
                    throw new IllegalStateException("on purpose");
                },
                joined -> {
                    observed.add(joined);
                    throw new OutOfMemoryError("on purpose");
                });
        try (var fake = FakeElection.named("orders")) {
            assertThatThrownBy(() -> participation.join(() -> {}, name -> fake.election(), "a", observers))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(participation.candidate()).isEmpty();
            assertThat(observed).extracting(each -> each.explain().reason()).containsExactly(Explanation.Reason.GONE);

            fake.grant(participation.join(() -> {}, name -> fake.election(), "a", List.of()));
            assertThat(works.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static ElectorElection electorElection(String name, StandInElector elector) {
        return new ElectorElection(
                name, Elector.at(elector.url(), name).name("me").build(), "the test");
    }
}
