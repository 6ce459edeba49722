package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Leadership;
import dev.doyen.testkit.FakeElection;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which calls the gate admits, and for which calls it waits when a leading application leaves an election. */
@Timeout(180)
class TermGateTest {

    private final FakeElection fake = FakeElection.named("orders");
    private final TermGate gate = new TermGate();
    private final Thread me = Thread.currentThread();
    private Leadership leadership;

    @BeforeEach
    void lead() {
        var candidate = fake.election().join("me");
        fake.grant(candidate);
        leadership = candidate.leadership().orElseThrow();
        gate.open(leadership);
    }

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void a_shut_gate_admits_only_nested_calls() throws Exception {
        TermGate.Work outer = gate.enter("outer").orElseThrow();
        gate.shut();
        assertThat(gate.enter("inner")).isPresent();
        assertThat(elsewhere("other")).isEmpty();
        gate.open(leadership);
        assertThat(elsewhere("other"))
                .as("no call is admitted before the next term begins")
                .isEmpty();
        outer.end();
        gate.admit();
        assertThat(elsewhere("other")).isPresent();
    }

    @Test
    void the_wait_for_a_call_is_limited() throws Exception {
        TermGate.Work call = elsewhere("call").orElseThrow();
        assertThat(gate.calls(me)).isEqualTo(1);
        assertThat(gate.awaitCalls(me, System.nanoTime())).isFalse();
        var waiting = new CountDownLatch(1);
        var ending = new Thread(() -> {
            while (me.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            call.end();
            waiting.countDown();
        });
        ending.start();
        assertThat(gate.awaitCalls(me, System.nanoTime() + 30_000_000_000L)).isTrue();
        waiting.await();
    }

    @Test
    void work_that_lasts_as_long_as_the_term_is_not_waited_for() {
        assertThat(gate.enterForTheTerm("for the term")).isPresent();
        TermGate.Work within = gate.enter("within that").orElseThrow();
        assertThat(gate.calls(new Thread())).isZero();
        within.leaveThread();
        assertThat(gate.calls(new Thread()))
                .as("work that continues on another thread counts")
                .isEqualTo(1);
    }

    @Test
    void a_call_does_not_wait_for_itself() throws Exception {
        assertThat(gate.enter("mine")).isPresent();
        assertThat(gate.awaitCalls(me, System.nanoTime())).isTrue();
        assertThat(elsewhere("another's")).isPresent();
        assertThat(gate.awaitCalls(me, System.nanoTime())).isFalse();
    }

    @Test
    void a_cancellation_runs_at_the_end_of_the_term_or_at_once_after_it() {
        TermGate.Work work = gate.enter("work").orElseThrow();
        work.leaveThread();
        var cancellations = new AtomicInteger();
        work.cancelWith(() -> {
            cancellations.incrementAndGet();
            work.end();
        });
        assertThat(cancellations).hasValue(0);
        gate.end();
        assertThat(cancellations).hasValue(1);
        work.cancelWith(cancellations::incrementAndGet);
        assertThat(cancellations).hasValue(2);
    }

    /** Enters the gate from another thread, which then ends. */
    private Optional<TermGate.Work> elsewhere(String what) throws InterruptedException {
        var entered = new AtomicReference<Optional<TermGate.Work>>(Optional.empty());
        var thread = new Thread(() -> entered.set(gate.enter(what)));
        thread.start();
        thread.join();
        return entered.get();
    }
}
