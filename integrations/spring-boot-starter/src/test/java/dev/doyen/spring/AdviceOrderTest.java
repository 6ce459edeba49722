package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.testkit.FakeElection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.SimpleTransactionStatus;

/** Tests {@link LeaderOnly} together with other advice of the same method. */
@Timeout(180)
class AdviceOrderTest {

    private final FakeElection fake = FakeElection.named("orders");
    private final Transactions transactions = new Transactions(fake);
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DoyenAutoConfiguration.class, TaskExecutionAutoConfiguration.class))
            .withUserConfiguration(Advised.class)
            .withBean(ElectionSource.class, () -> new Fakes(fake))
            .withBean(PlatformTransactionManager.class, () -> transactions)
            .withBean(Job.class);

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void a_follower_begins_no_transaction() {
        runner.run(context -> {
            context.getBean(Job.class).write();
            assertThat(transactions.events).isEmpty();
        });
    }

    @Test
    void a_transaction_ends_before_the_lease_is_released() {
        runner.run(context -> {
            Job target = AopTestUtils.getTargetObject(context.getBean(Job.class));
            fake.grant();
            var caller = new Thread(context.getBean(Job.class)::write);
            caller.start();
            assertThat(target.began.await(60, TimeUnit.SECONDS)).isTrue();
            fake.lose(LossCause.RESIGNED);
            caller.join();
            assertThat(transactions.events)
                    .containsExactly("begin in term 2, held", "method ends", "commit in term 2, held");
            assertThat(transactions.isGivenBack()).isTrue();
        });
    }

    @Test
    void an_asynchronous_method_is_work_of_the_thread_that_runs_it() {
        runner.run(context -> {
            Job job = context.getBean(Job.class);
            assertThat(job.later().get(60, TimeUnit.SECONDS)).isNull();
            fake.grant();
            assertThat(job.later().get(60, TimeUnit.SECONDS))
                    .startsWith("term 2 on task-")
                    .isNotEqualTo("term 2 on " + Thread.currentThread().getName());
        });
    }

    @Configuration
    @EnableAsync
    @EnableTransactionManagement
    static class Advised {}

    static class Job {
        final CountDownLatch began = new CountDownLatch(1);
        private final Transactions transactions;

        Job(PlatformTransactionManager transactions) {
            this.transactions = (Transactions) transactions;
        }

        @Transactional
        @LeaderOnly("orders")
        public void write() {
            began.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                transactions.events.add("method ends");
            }
        }

        @Async
        @LeaderOnly("orders")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("term " + CurrentLeadership.term() + " on "
                    + Thread.currentThread().getName());
        }
    }

    /** Records the current term at the start and the end of each transaction, and whether the lease is held then. */
    private static final class Transactions implements PlatformTransactionManager {
        final List<String> events = new CopyOnWriteArrayList<>();
        private final FakeElection fake;

        Transactions(FakeElection fake) {
            this.fake = fake;
        }

        @Override
        public TransactionStatus getTransaction(TransactionDefinition definition) {
            note("begin");
            return new SimpleTransactionStatus();
        }

        @Override
        public void commit(TransactionStatus status) {
            note("commit");
        }

        @Override
        public void rollback(TransactionStatus status) {
            note("rollback");
        }

        boolean isGivenBack() {
            return fake.written().stream()
                    .anyMatch(record -> record.term() == 2 && record.holder().isEmpty());
        }

        private void note(String what) {
            events.add(what
                    + CurrentLeadership.find()
                            .map(Terms::of)
                            .map(t -> " in term " + t)
                            .orElse("")
                    + (isGivenBack() ? ", given back" : ", held"));
        }
    }
}
