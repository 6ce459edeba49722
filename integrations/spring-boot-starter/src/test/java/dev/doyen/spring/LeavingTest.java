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

/** Tests that a stopped application joins no election, and that a stop awaits the listeners. */
@Timeout(180)
class LeavingTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
            .withPropertyValues("doyen.store=memory:" + UUID.randomUUID(), "doyen.elections.orders.auto-start=false");

    /** If a stopped application could join and lead, no listener would be notified of the end of the leadership. */
    @Test
    void a_stopped_application_joins_no_election_until_it_starts_again() {
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
                    .as("calls are admitted again")
                    .hasValueSatisfying(TermGate.Work::end);
        });
    }

    /**
     * If stop did not wait for the work, the context would close before its listeners are notified of the end of the
     * term.
     */
    @Test
    void stopping_waits_for_the_work_even_after_an_interrupted_stop() {
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

    /**
     * Spring counts callbacks, so it could mistake the callback of a dependent bean for the callback of the elections.
     */
    @Test
    void later_phases_wait_for_the_work_even_with_dependents() throws Exception {
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
        assertThat(closed.get()).as("a bean of a later phase still runs").isTrue();
    }

    /** A bean that depends on the elections and therefore stops before them. */
    static final class Dependent extends Stopping {
        Dependent(LeaderElections elections) {
            super(1, () -> {});
            assertThat(elections.names()).contains("orders");
        }
    }

    /** A bean whose work ends when the test permits. */
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
