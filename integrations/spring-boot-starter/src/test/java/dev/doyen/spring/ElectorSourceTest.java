package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.Candidate;
import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.Explanation;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.test.util.AopTestUtils;

/** Tests elections that an elector beside the application decides. */
@Timeout(180)
class ElectorSourceTest {

    private StandInElector elector;
    private ApplicationContextRunner runner;

    @BeforeEach
    void start() throws Exception {
        elector = new StandInElector("orders");
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
                .withPropertyValues("doyen.candidate-id=me")
                .withBean(Job.class)
                .withBean(Received.class);
    }

    @AfterEach
    void stop() {
        elector.close();
    }

    @Test
    void methods_and_events_follow_the_elector() {
        runner.withPropertyValues("doyen.elector.url=" + elector.url()).run(context -> {
            Job job = context.getBean(Job.class);
            Received received = context.getBean(Received.class);
            elector.names("another", 6);
            assertThat(received.next()).isEqualTo("leader another 6");
            assertThat(job.term()).isEmpty();
            elector.names("me", 7);
            assertThat(received.next()).isEqualTo("elected 7");
            assertThat(received.next()).isEqualTo("leader me 7");
            assertThat(job.term()).contains(7L);
            elector.names("me", 9);
            assertThat(received.next())
                    .as("the term ends, because another process led meanwhile")
                    .isEqualTo("revoked 7 SUPERSEDED");
            assertThat(received.next()).isEqualTo("elected 9");
            assertThat(received.next()).isEqualTo("leader me 9");
            elector.names("", 0);
            assertThat(received.next()).isEqualTo("revoked 9 SUPERSEDED");
            assertThat(job.term()).isEmpty();
        });
    }

    @Test
    void the_work_ends_before_the_last_answer_of_a_silent_elector_is_too_old() {
        runner.withPropertyValues("doyen.elector.url=" + elector.url(), "doyen.elector.max-age=2s")
                .run(context -> {
                    Received received = context.getBean(Received.class);
                    elector.names("me", 7);
                    received.until("elected 7");
                    Job target = AopTestUtils.getTargetObject(context.getBean(Job.class));
                    var caller = new Thread(context.getBean(Job.class)::untilInterrupted);
                    caller.start();
                    assertThat(target.began.await(60, TimeUnit.SECONDS)).isTrue();
                    Candidate<?> candidate = context.getBean(LeaderElections.class)
                            .candidate("orders")
                            .orElseThrow();
                    Leadership leadership = candidate.leadership().orElseThrow();
                    assertThat(leadership.remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(2));
                    elector.hangs();
                    received.until("revoked 7 EXPIRED");
                    caller.join();
                    assertThat(candidate.isLeader()).isFalse();
                    assertThat(leadership.isCertain()).isFalse();
                    assertThatThrownBy(leadership::check).isInstanceOf(NotLeaderException.class);
                    assertThat(candidate.leader()).isEmpty();
                    assertThat(candidate.explain().reason()).isEqualTo(Explanation.Reason.NOT_SEEN);
                    assertThat(context.getBean(ElectionSource.class).silentFor())
                            .as("the health check gets the time since the last answer")
                            .isPresent();
                    assertThat(context.getBean(Job.class).term()).isEmpty();
                });
    }

    @Test
    void without_an_elector_the_application_is_a_follower() {
        elector.close();
        runner.withPropertyValues("doyen.elector.url=" + elector.url()).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Job.class).term()).isEmpty();
            assertThat(context.getBean(ElectionSource.class).silentFor()).isPresent();
        });
    }

    @Test
    void the_environment_provides_one_election_for_all_names_without_terms() {
        runner.withPropertyValues(
                        "ELECTOR_GET_URL=" + elector.url(),
                        "ELECTOR_SSE_URL=" + elector.url() + "/sse",
                        "doyen.elections.bills.auto-start=true")
                .run(context -> {
                    elector.names("me", 7);
                    Received received = context.getBean(Received.class);
                    received.until("elected 0");
                    received.until("elected 0");
                    assertThat(context.getBean(LeaderElections.class).isLeader("bills"))
                            .isTrue();
                    assertThat(context.getBean(Job.class).term()).contains(0L);
                });
    }

    @Test
    void an_environment_with_only_a_stream_provides_an_election_without_terms() {
        runner.withPropertyValues("ELECTOR_SSE_URL=" + elector.url() + "/sse").run(context -> {
            elector.names("me", 7);
            context.getBean(Received.class).until("elected 0");
            assertThat(context.getBean(Job.class).term()).contains(0L);
        });
    }

    @Test
    void the_election_can_be_one_or_by_name() {
        runner.withPropertyValues("doyen.elector.url=" + elector.url(), "doyen.elector.api=nais")
                .run(context -> {
                    elector.names("me", 7);
                    context.getBean(Received.class).until("elected 0");
                });
        runner.withPropertyValues("ELECTOR_GET_URL=" + elector.url(), "doyen.elector.api=v1")
                .run(context -> context.getBean(Received.class).until("elected 7"));
    }

    @Test
    void a_leadership_that_ends_before_its_term_is_known_is_not_reported() {
        runner.withPropertyValues(
                        "doyen.elector.url=" + elector.url(), "doyen.elector.api=nais", "doyen.elector.timeout=300ms")
                .run(context -> {
                    elector.answersNothing();
                    elector.names("me", 7);
                    elector.awaitQuestion();
                    elector.names("another", 8);
                    assertThat(context.getBean(Received.class).next()).isEqualTo("leader another 0");
                });
    }

    @Test
    void a_configured_store_overrides_an_elector_of_the_environment() {
        runner.withPropertyValues(
                        "doyen.store=memory:elector-source-test",
                        "ELECTOR_GET_URL=" + elector.url(),
                        "ELECTOR_SSE_URL=" + elector.url() + "/sse")
                .run(context -> {
                    context.getBean(Received.class).until("elected 1");
                    assertThat(context.getBean(ElectionSource.class)).isInstanceOf(LeaseElectionSource.class);
                });
    }

    @Test
    void the_stop_of_the_application_ends_its_work_even_if_the_elector_names_it() {
        var after = new LinkedBlockingQueue<String>();
        runner.withPropertyValues("doyen.elector.url=" + elector.url()).run(context -> {
            elector.names("me", 7);
            Received received = context.getBean(Received.class);
            received.until("elected 7");
            received.also = after;
        });
        assertThat(after).contains("revoked 7 CLOSED");
    }

    @Test
    void a_resignation_is_rejected_with_the_command_for_the_elector() {
        runner.withPropertyValues("doyen.elector.url=" + elector.url()).run(context -> {
            elector.names("me", 7);
            context.getBean(Received.class).until("elected 7");
            Candidate<?> candidate =
                    context.getBean(LeaderElections.class).candidate("orders").orElseThrow();
            assertThat(candidate.id()).isEqualTo("me");
            assertThat(candidate.explain().reason()).isEqualTo(Explanation.Reason.LEADING);
            assertThatThrownBy(() -> Refusals.local(candidate).resign())
                    .isInstanceOf(DoyenRefusedException.class)
                    .hasMessageEndingWith("; send it the command: POST /v1/elections/orders/resign");
            assertThat(candidate.leadership().orElseThrow()).isInstanceOf(ElectorLeadership.class);
        });
    }

    @Test
    void settings_that_contradict_each_other_stop_the_start_with_a_sentence() {
        String url = "doyen.elector.url=" + elector.url();
        RefusedStart.withMessage(
                "names a source of elections: doyen.store, doyen.elector.url",
                runner.withPropertyValues(url, "doyen.store=memory:"));
        RefusedStart.withMessage(
                "names a source of elections: a bean of type LeaseStore, doyen.elector.url",
                runner.withPropertyValues(url).withBean(LeaseStore.class, () -> LeaseStore.open("memory:elector")));
        RefusedStart.withMessage("doyen.session is SHARED", runner.withPropertyValues(url, "doyen.session=shared"));
        RefusedStart.withMessage(
                "doyen.elections.orders has settings of a lease",
                runner.withPropertyValues(url, "doyen.elections.orders.ttl=2s"));
        RefusedStart.withMessage(
                "maxAge (1000 ms) must be from 2000 ms", runner.withPropertyValues(url, "doyen.elector.max-age=1s"));
        RefusedStart.withMessage(
                "timeout (6000 ms) must be at most maxAge", runner.withPropertyValues(url, "doyen.elector.timeout=6s"));
        RefusedStart.withMessage(
                "is not the address of an elector", runner.withPropertyValues("doyen.elector.url=ftp://nowhere"));
        RefusedStart.withMessage(
                "no address of a stream is set; set ELECTOR_SSE_URL",
                runner.withPropertyValues("ELECTOR_GET_URL=" + elector.url()));
        RefusedStart.withMessage(
                "ELECTOR_GET_URL is not set",
                runner.withPropertyValues("ELECTOR_SSE_URL=" + elector.url() + "/sse", "doyen.elector.api=v1"));
        RefusedStart.withMessage(
                "names an elector, which needs doyen-client",
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
                        .withPropertyValues(url)
                        .withClassLoader(new FilteredClassLoader("dev.doyen.client")));
    }

    static class Job {
        final CountDownLatch began = new CountDownLatch(1);

        @LeaderOnly("orders")
        public Optional<Long> term() {
            return Optional.of(Terms.of(CurrentLeadership.get()));
        }

        @LeaderOnly("orders")
        public void untilInterrupted() {
            began.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static class Received {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        volatile BlockingQueue<String> also = new LinkedBlockingQueue<>();

        @EventListener
        public void on(ElectedEvent event) {
            add("elected " + Terms.of(event.leadership()));
        }

        @EventListener
        public void on(RevokedEvent event) {
            LossCause cause = event.cause();
            add("revoked " + Terms.of(event.leadership()) + " " + cause);
        }

        @EventListener
        public void on(LeaderChangedEvent event) {
            event.leader().ifPresent(leader -> add("leader " + leader.id() + " " + leader.term()));
        }

        private void add(String event) {
            events.add(event);
            also.add(event);
        }

        String next() throws InterruptedException {
            String event = events.poll(60, TimeUnit.SECONDS);
            assertThat(event).as("an event is received in time").isNotNull();
            return event;
        }

        void until(String expected) throws InterruptedException {
            String received = next();
            while (!received.equals(expected)) {
                received = next();
            }
        }
    }
}
