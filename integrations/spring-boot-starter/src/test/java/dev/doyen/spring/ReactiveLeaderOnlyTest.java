package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.LossCause;
import dev.doyen.testkit.FakeElection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.test.util.AopTestUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests {@link LeaderOnly} methods that return a {@code Mono} or a {@code Flux}. */
@Timeout(180)
class ReactiveLeaderOnlyTest {

    private final FakeElection fake = FakeElection.named("orders");
    private Job job;
    private Job target;

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void the_leadership_is_checked_at_the_subscription_and_not_at_the_call() {
        run(context -> {
            Mono<String> one = job.one();
            Flux<String> many = job.many();
            assertThat(one.blockOptional()).as("a follower").isEmpty();
            assertThat(many.collectList().block()).isEmpty();
            assertThat(target.events)
                    .as("the method is not called on a follower")
                    .isEmpty();
            fake.grant();
            target.results.tryEmitNext("a");
            target.results.tryEmitNext("b");
            target.results.tryEmitComplete();
            assertThat(one.block()).as("the same publisher on a leader").isEqualTo("one in term 2");
            assertThat(many.collectList().block()).containsExactly("a", "b");
            fake.loseTo("another");
            assertThat(one.blockOptional()).isEmpty();
            assertThat(target.events).containsExactly("one called in term 2", "many called in term 2");
        });
    }

    @Test
    void the_context_contains_the_leadership_and_the_thread_of_the_caller_does_not() {
        run(context -> {
            fake.grant();
            assertThat(job.termOfContext().block()).isEqualTo(2);
            assertThat(CurrentLeadership.find()).isEmpty();
        });
    }

    @Test
    void one_subscription_runs_at_a_time() {
        run(context -> {
            fake.grant();
            CompletableFuture<List<String>> first = job.many().collectList().toFuture();
            assertThat(job.many().collectList().block())
                    .as("a second call is skipped while the first one runs")
                    .isEmpty();
            target.results.tryEmitNext("a");
            target.results.tryEmitComplete();
            assertThat(first).isCompletedWithValue(List.of("a"));
        });
    }

    @Test
    void the_work_has_ended_when_its_last_signal_arrives() {
        run(context -> {
            fake.grant();
            CompletableFuture<List<String>> twice =
                    Flux.concat(job.many(), job.many()).collectList().toFuture();
            target.results.tryEmitNext("a");
            target.results.tryEmitComplete();
            assertThat(twice).isCompletedWithValue(List.of("a", "a"));
        });
    }

    @Test
    void each_subscription_runs_all_advice_of_the_method() {
        TermGate gate = leading();
        var calls = new AtomicInteger();
        var proxies = new ProxyFactory(new Job(() -> ""));
        proxies.addAdvice(new LeaderOnlyInterceptor(() -> election -> gate));
        proxies.addAdvice((MethodInterceptor) invocation -> {
            calls.incrementAndGet();
            return invocation.proceed();
        });
        Mono<String> one = ((Job) proxies.getProxy()).one();
        assertThat(one.block()).isEqualTo(one.block());
        assertThat(calls).hasValue(2);
    }

    /** The gate of this test does not receive the end of the term, like a gate that receives it later. */
    @Test
    void a_failed_check_of_the_leadership_counts_as_skipped_also_before_the_cancellation() {
        TermGate gate = leading();
        var direct = new Job(() -> "");
        var proxies = new ProxyFactory(direct);
        proxies.addAdvice(new LeaderOnlyInterceptor(() -> election -> gate));
        CompletableFuture<List<String>> running =
                ((Job) proxies.getProxy()).many().collectList().toFuture();
        fake.lose(LossCause.RESIGNED);
        direct.results.tryEmitError(new NotLeaderException("orders", 2));
        assertThat(running).isCompletedWithValue(List.of());
    }

    /** Returns a gate that is open while a candidate leads. */
    private TermGate leading() {
        var candidate = fake.election().join("me");
        fake.grant(candidate);
        var gate = new TermGate();
        gate.open(candidate.leadership().orElseThrow());
        return gate;
    }

    @Test
    void the_end_of_the_term_cancels_the_work_before_the_lease_is_released() {
        run(context -> {
            fake.grant();
            CompletableFuture<String> pending = job.never().toFuture();
            fake.lose(LossCause.RESIGNED);
            assertThat(target.events).containsExactly("cancelled, held");
            assertThat(isReleased()).isTrue();
            assertThat(pending.get(60, TimeUnit.SECONDS))
                    .as("the caller receives the same as from a skipped call")
                    .isNull();
        });
    }

    @Test
    void a_stream_that_the_end_of_the_term_has_cut_off_fails() {
        run(context -> {
            fake.grant();
            CompletableFuture<List<String>> empty = job.many().collectList().toFuture();
            fake.lose(LossCause.RESIGNED);
            assertThat(empty).as("no value was emitted").isCompletedWithValue(List.of());

            fake.grant();
            CompletableFuture<List<String>> begun = job.many().collectList().toFuture();
            target.results.tryEmitNext("a");
            fake.lose(LossCause.RESIGNED);
            assertThatThrownBy(() -> begun.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(NotLeaderException.class);
        });
    }

    @Test
    void a_cancellation_by_the_caller_ends_the_work() {
        run(context -> {
            fake.grant();
            job.never().subscribe().dispose();
            assertThat(target.events).containsExactly("cancelled, held");
            assertThat(job.one().block()).isEqualTo("one in term 2");
            assertThat(context.getBean(LeaderElections.class).gate("orders").calls(new Thread()))
                    .isZero();
        });
    }

    @Test
    void an_exception_reaches_the_caller_unless_the_term_has_ended() {
        run(context -> {
            fake.grant();
            for (boolean atCall : new boolean[] {true, false}) {
                assertThatThrownBy(() -> job.fails(new IllegalStateException("x"), atCall)
                                .block())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("x");
                assertThatThrownBy(() -> job.fails(new NotLeaderException("other", 7), atCall)
                                .block())
                        .as("an exception of another election reaches the caller")
                        .isInstanceOf(NotLeaderException.class);
            }
            assertThat(job.one().block()).as("a failed call has ended").isEqualTo("one in term 2");
        });
    }

    @Test
    void the_method_itself_is_interrupted_like_any_other_method() {
        run(context -> {
            fake.grant();
            var result = new CompletableFuture<Optional<String>>();
            new Thread(() -> {
                        try {
                            result.complete(job.hangs().blockOptional());
                        } catch (Throwable e) {
                            result.completeExceptionally(e);
                        }
                    })
                    .start();
            assertThat(target.began.await(60, TimeUnit.SECONDS)).isTrue();
            fake.lose(LossCause.RESIGNED);
            assertThat(result.get(60, TimeUnit.SECONDS)).isEmpty();
        });
    }

    @Test
    void a_stop_waits_for_the_running_work() {
        run(context -> {
            fake.grant();
            CompletableFuture<List<String>> running = job.many().collectList().toFuture();
            LeaderElections elections = context.getBean(LeaderElections.class);
            assertThat(elections.gate("orders").calls(Thread.currentThread()))
                    .as("work that has left its thread counts")
                    .isEqualTo(1);
            var began = new CountDownLatch(1);
            var stopping = new Thread(() -> {
                began.countDown();
                elections.stop();
            });
            stopping.start();
            assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
            while (stopping.getState() != Thread.State.WAITING && stopping.isAlive()) {
                Thread.onSpinWait();
            }
            target.results.tryEmitNext("a");
            target.results.tryEmitComplete();
            stopping.join();
            assertThat(running).isCompletedWithValue(List.of("a"));
        });
    }

    private void run(ContextConsumer<AssertableApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
                .withBean(ElectionSource.class, () -> new Fakes(fake))
                .withBean(Job.class, () -> new Job(() -> isReleased() ? "released" : "held"))
                .run(context -> {
                    job = context.getBean(Job.class);
                    target = AopTestUtils.getTargetObject(job);
                    test.accept(context);
                });
    }

    private boolean isReleased() {
        return fake.written().stream()
                .anyMatch(record -> record.term() == 2 && record.holder().isEmpty());
    }

    static class Job {
        final List<String> events = new CopyOnWriteArrayList<>();
        final CountDownLatch began = new CountDownLatch(1);
        final Sinks.Many<String> results = Sinks.many().replay().all();
        private final Supplier<String> lease;

        Job(Supplier<String> lease) {
            this.lease = lease;
        }

        @LeaderOnly("orders")
        public Mono<String> one() {
            long term = CurrentLeadership.term();
            events.add("one called in term " + term);
            return Mono.just("one in term " + term);
        }

        @LeaderOnly("orders")
        public Flux<String> many() {
            events.add("many called in term " + CurrentLeadership.term());
            return results.asFlux();
        }

        @LeaderOnly("orders")
        public Mono<String> never() {
            return Mono.<String>never().doOnCancel(() -> events.add("cancelled, " + lease.get()));
        }

        @LeaderOnly("orders")
        public Mono<Long> termOfContext() {
            return Mono.deferContextual(context -> Mono.just(Terms.of(context.get(Leadership.class))));
        }

        @LeaderOnly("orders")
        public Mono<String> fails(RuntimeException with, boolean atCall) {
            if (atCall) {
                throw with;
            }
            return Mono.error(with);
        }

        @LeaderOnly("orders")
        public Mono<String> hangs() throws InterruptedException {
            began.countDown();
            new CountDownLatch(1).await();
            return Mono.empty();
        }
    }
}
