package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.LossCause;
import dev.doyen.testkit.FakeElection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.util.AopTestUtils;
import reactor.core.publisher.Mono;

@Timeout(180)
class LeaderOnlyTest {

    private final FakeElection fake = FakeElection.named("orders");
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
            .withBean(ElectionSource.class, () -> new Fakes(fake));

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void a_call_is_skipped_on_a_follower_and_made_on_the_leader() {
        runner.withBean(Job.class).run(context -> {
            Job job = context.getBean(Job.class);
            assertThat(AopUtils.isCglibProxy(job)).isTrue();
            assertThat(job.text()).isNull();
            assertThat(job.maybe()).isEmpty();
            assertThat(job.later()).isCompletedWithValue(null);
            fake.grant();
            assertThat(job.text()).isEqualTo("term 2");
            assertThat(job.maybe()).contains(2L);
            assertThat(CurrentLeadership.find()).isEmpty();
            fake.loseTo("another");
            assertThat(job.text()).isNull();
        });
    }

    @Test
    void an_interface_proxy_is_guarded() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean("texts", Texts.class, FixedTexts::new)
                .run(context -> {
                    Texts texts = context.getBean(Texts.class);
                    assertThat(AopUtils.isJdkDynamicProxy(texts)).isTrue();
                    assertThat(texts.text()).isNull();
                    fake.grant();
                    assertThat(texts.text()).isEqualTo("fixed");
                });
    }

    @Test
    void the_lease_is_not_released_before_the_interrupted_method_has_returned() {
        runner.withBean(Slow.class).run(context -> {
            Slow slow = AopTestUtils.getTargetObject(context.getBean(Slow.class));
            fake.grant();
            Thread caller = new Thread(context.getBean(Slow.class)::work);
            caller.start();
            assertThat(slow.began.await(60, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> resigned = CompletableFuture.runAsync(() -> fake.lose(LossCause.RESIGNED));
            try {
                assertThat(slow.interrupted.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(fake.written())
                        .as("the lease is not released while the method runs")
                        .noneMatch(
                                record -> record.term() == 2 && record.holder().isEmpty());
                assertThat(resigned).isNotDone();
            } finally {
                slow.mayReturn.countDown();
            }
            resigned.get(60, TimeUnit.SECONDS);
            caller.join();
            assertThat(slow.thrown.get())
                    .as("the interrupt of the method does not reach the caller")
                    .isZero();
        });
    }

    @Test
    void an_unused_interrupt_is_not_left_for_the_caller() {
        runner.withBean(Spinning.class).run(context -> {
            Spinning target = AopTestUtils.getTargetObject(context.getBean(Spinning.class));
            fake.grant();
            var interruptedAfter = new CompletableFuture<Boolean>();
            new Thread(() -> {
                        context.getBean(Spinning.class).work();
                        interruptedAfter.complete(Thread.currentThread().isInterrupted());
                    })
                    .start();
            assertThat(target.began.await(60, TimeUnit.SECONDS)).isTrue();
            fake.lose(LossCause.RESIGNED);
            assertThat(interruptedAfter.get(60, TimeUnit.SECONDS)).isFalse();
        });
    }

    @Test
    void a_stage_is_work_until_it_completes() {
        runner.withBean(Job.class).run(context -> {
            Job job = context.getBean(Job.class);
            fake.grant();
            var first = new CompletableFuture<String>();
            Job target = AopTestUtils.getTargetObject(job);
            target.pending = first;
            CompletableFuture<String> running = job.later();
            assertThat(running).isSameAs(first);
            target.pending = CompletableFuture.completedFuture("second");
            CompletableFuture<String> second = new CompletableFuture<>();
            Thread other =
                    new Thread(() -> second.complete(String.valueOf(job.later().join())));
            other.start();
            try {
                assertThat(second.get(60, TimeUnit.SECONDS))
                        .as("the second call is skipped while the first one runs")
                        .isEqualTo("null");
            } finally {
                // Complete the pending stage, because the application waits for it when it stops.
                first.complete("first");
            }
            assertThat(job.later()).isCompletedWithValue("second");
        });
    }

    @Test
    void a_call_is_not_skipped_while_another_object_with_the_same_hash_code_works() {
        var candidate = fake.election().join("me");
        fake.grant(candidate);
        var gate = new TermGate();
        gate.open(candidate.leadership().orElseThrow());
        var interceptor = new LeaderOnlyInterceptor(() -> election -> gate);
        List<Job> jobs = twoWithTheSameHashCode();
        jobs.get(0).pending = new CompletableFuture<>();
        assertThat(intercepted(jobs.get(0), interceptor).later()).isNotDone();

        assertThat(intercepted(jobs.get(0), interceptor).later()).isCompletedWithValue(null);
        assertThat(intercepted(jobs.get(1), interceptor).later()).isCompletedWithValue("done");
    }

    private static List<Job> twoWithTheSameHashCode() {
        Map<Integer, Job> jobs = new HashMap<>();
        while (true) {
            var job = new Job();
            Job other = jobs.put(System.identityHashCode(job), job);
            if (other != null) {
                return List.of(other, job);
            }
        }
    }

    private static Job intercepted(Job job, LeaderOnlyInterceptor interceptor) {
        var proxies = new ProxyFactory(job);
        proxies.addAdvice(interceptor);
        return (Job) proxies.getProxy();
    }

    @Test
    void an_exception_of_a_method_reaches_the_caller_unless_its_term_ended() {
        runner.withBean(Job.class).run(context -> {
            Job job = context.getBean(Job.class);
            fake.grant();
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> job.fails(new IllegalStateException("x"))))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> job.fails(new NotLeaderException("other", 7))))
                    .as("an exception of another election reaches the caller")
                    .isInstanceOf(NotLeaderException.class);
        });
    }

    @Test
    void a_scheduled_method_is_skipped_until_elected() {
        runner.withUserConfiguration(Scheduling.class).withBean(Timetable.class).run(context -> {
            Timetable timetable = AopTestUtils.getTargetObject(context.getBean(Timetable.class));
            assertThat(timetable.plain.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(timetable.led.getCount()).isEqualTo(1);
            fake.grant();
            assertThat(timetable.led.await(60, TimeUnit.SECONDS)).isTrue();
        });
    }

    @Test
    void methods_and_events_report_each_term_in_order() {
        runner.withBean(Listening.class).run(context -> {
            Listening received = context.getBean(Listening.class);
            fake.grant();
            assertThat(received.elected.poll(60, TimeUnit.SECONDS)).isEqualTo("elected 2");
            fake.loseTo("another");
            assertThat(received.events)
                    .contains("event elected 2", "interrupted 2", "revoked 2 SUPERSEDED", "event revoked 2 SUPERSEDED")
                    .containsSubsequence("interrupted 2", "revoked 2 SUPERSEDED", "event revoked 2 SUPERSEDED")
                    .contains("leader another");
        });
    }

    @Test
    void unsupported_methods_are_rejected_at_the_start() {
        refused(Primitive.class, "returns int");
        refused(Final.class, "which is public final");
        refused(Later.class, "returns Future");
        refused(Published.class, "returns Publisher");
        refused(Odd.class, "a parameter of type java.lang.String; it can have Leadership and LossCause");
    }

    private void refused(Class<?> bean, String why) {
        runner.withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOf(DoyenRefusedException.class)
                    .hasMessageContaining(why)
                    .hasMessageContaining("; ");
        });
    }

    static class Job {
        volatile CompletableFuture<String> pending = CompletableFuture.completedFuture("done");

        @LeaderOnly("orders")
        public String text() {
            return "term " + CurrentLeadership.term();
        }

        @LeaderOnly("orders")
        public Optional<Long> maybe() {
            return CurrentLeadership.find().map(Terms::of);
        }

        @LeaderOnly("orders")
        public CompletableFuture<String> later() {
            return pending;
        }

        @LeaderOnly("orders")
        public void fails(RuntimeException with) {
            throw with;
        }
    }

    interface Texts {
        String text();
    }

    static class FixedTexts implements Texts {
        @Override
        @LeaderOnly("${no.such.key:orders}")
        public String text() {
            return "fixed";
        }
    }

    static class Slow {
        final CountDownLatch began = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final AtomicInteger thrown = new AtomicInteger();

        @LeaderOnly("orders")
        public void work() {
            began.countDown();
            try {
                mayReturn.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                try {
                    mayReturn.await();
                } catch (InterruptedException again) {
                    thrown.incrementAndGet();
                }
            }
        }
    }

    static class Spinning {
        final CountDownLatch began = new CountDownLatch(1);

        @LeaderOnly("orders")
        public void work() {
            began.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }
    }

    @Configuration
    @EnableScheduling
    static class Scheduling {}

    static class Timetable {
        final CountDownLatch plain = new CountDownLatch(20);
        final CountDownLatch led = new CountDownLatch(1);

        @Scheduled(fixedDelay = 1)
        public void tick() {
            plain.countDown();
        }

        @Scheduled(fixedDelay = 1)
        @LeaderOnly("orders")
        public void lead() {
            led.countDown();
        }
    }

    static class Listening {
        final BlockingQueue<String> elected = new LinkedBlockingQueue<>();
        final List<String> events = new java.util.concurrent.CopyOnWriteArrayList<>();

        @OnElected("orders")
        void elected(Leadership leadership) throws InterruptedException {
            elected.add("elected " + Terms.of(leadership));
            try {
                new CountDownLatch(1).await();
            } finally {
                events.add("interrupted " + CurrentLeadership.term());
            }
        }

        @OnRevoked("orders")
        public void revoked(LossCause cause, Leadership leadership) {
            events.add("revoked " + Terms.of(leadership) + " " + cause);
        }

        @EventListener
        public void on(ElectedEvent event) {
            events.add("event elected " + Terms.of(event.leadership()));
        }

        @EventListener
        public void on(RevokedEvent event) {
            events.add("event revoked " + Terms.of(event.leadership()) + " " + event.cause());
        }

        @EventListener
        public void on(LeaderChangedEvent event) {
            events.add(
                    "leader " + event.leader().map(dev.doyen.event.Leader::id).orElse("nobody"));
        }
    }

    static class Primitive {
        @LeaderOnly("orders")
        public int count() {
            return 1;
        }
    }

    static class Final {
        @LeaderOnly("orders")
        public final void work() {}
    }

    static class Later {
        @LeaderOnly("orders")
        public Future<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class Published {
        @LeaderOnly("orders")
        public Publisher<String> work() {
            return Mono.empty();
        }
    }

    static class Odd {
        @OnRevoked("orders")
        public void work(String what) {}
    }
}
