package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

/** An application that stops while other threads let it join or leave elections. */
@Timeout(180)
class LeavingTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
            .withPropertyValues("doyen.store=memory:" + UUID.randomUUID(), "doyen.elections.orders.auto-start=false");

    /** Otherwise it would lead, and no listener would receive the end. */
    @Test
    void who_has_stopped_is_not_joined_until_it_starts_again() {
        runner.withBean(Work.class).run(context -> {
            var elections = context.getBean(LeaderElections.class);
            var work = context.getBean(Work.class);
            work.mayEnd.countDown();
            elections.stop();
            assertThatIllegalStateException()
                    .isThrownBy(() -> elections.join("orders"))
                    .withMessage(
                            "election \"orders\" cannot be joined, because this application is stopping; join earlier");
            assertThat(elections.candidate("orders")).isEmpty();
            elections.start();
            elections.join("orders");
            assertThat(elections.candidate("orders")).isPresent();
            assertThat(work.began.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(elections.gate("orders").enter("a call"))
                    .as("its calls are let in again")
                    .hasValueSatisfying(TermGate.Work::end);
        });
    }

    /** Otherwise the context would be closed before it told its listeners that the term is over. */
    @Test
    void to_stop_waits_for_the_end_of_the_work_though_who_left_before_was_interrupted() {
        runner.withBean(Work.class).run(context -> {
            var elections = context.getBean(LeaderElections.class);
            var work = context.getBean(Work.class);
            elections.join("orders");
            assertThat(work.began.await(30, TimeUnit.SECONDS)).isTrue();
            var hurried = new Thread(() -> {
                Thread.currentThread().interrupt();
                elections.leave("orders");
            });
            hurried.start();
            hurried.join();
            assertThat(work.isOver.get()).isFalse();
            var stopping = new Thread(elections::stop);
            stopping.start();
            while (stopping.getState() != Thread.State.WAITING && stopping.isAlive()) {
                Thread.onSpinWait();
            }
            work.mayEnd.countDown();
            stopping.join();
            assertThat(work.isOver.get()).isTrue();
        });
    }

    /** Spring counts the callbacks in a phase, and also those of beans that depend on its members. */
    @Test
    void what_stops_later_waits_for_the_work_though_something_depends_on_the_elections() throws Exception {
        var closed = new CompletableFuture<Boolean>();
        runner.withBean(Work.class)
                .withBean("later", Stopping.class, () -> new Stopping(0, () -> {}))
                .withBean(Dependent.class)
                .run(context -> {
                    var work = context.getBean(Work.class);
                    var later = context.getBean("later", Stopping.class);
                    context.getBean(LeaderElections.class).join("orders");
                    assertThat(work.began.await(30, TimeUnit.SECONDS)).isTrue();
                    var closing = new Thread(context.getSourceApplicationContext()::close);
                    closing.start();
                    while (closing.getState() != Thread.State.WAITING && closing.isAlive()) {
                        Thread.onSpinWait();
                    }
                    closed.complete(later.isRunning());
                    work.mayEnd.countDown();
                    closing.join();
                    assertThat(work.isOver.get()).isTrue();
                });
        assertThat(closed.get()).as("what stops later still runs").isTrue();
    }

    /** A bean that needs the elections, and so stops before them. */
    static final class Dependent extends Stopping {
        Dependent(LeaderElections elections) {
            super(1, () -> {});
            assertThat(elections.names()).contains("orders");
        }
    }

    /** Ends when the test allows it. */
    static class Work {
        final CountDownLatch began = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final AtomicBoolean isOver = new AtomicBoolean();

        @EventListener
        void elected(ElectedEvent event) {
            began.countDown();
        }

        @EventListener
        void revoked(RevokedEvent event) throws InterruptedException {
            assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
            isOver.set(true);
        }
    }
}
