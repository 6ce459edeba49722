package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.driver.ShutdownHook;
import dev.doyen.driver.SystemThreads;
import dev.doyen.election.Threads;
import dev.doyen.event.Explanation;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which resources a ring election closes. */
class RingClosingTest {

    private final AtomicReference<Runnable> beforeTask = new AtomicReference<>(() -> {});

    @Test
    void an_election_over_a_membership_closes_its_threads_when_the_membership_ends() throws Exception {
        var membership = new EmptyMembership();
        var election = (MembershipElection)
                RingElection.named("orders").membership(membership).open();
        election.close();
        var loop = new CompletableFuture<Thread>();
        assertThat(election.threads().loop(() -> loop.complete(Thread.currentThread())))
                .isTrue();
        Thread thread = loop.get(60, TimeUnit.SECONDS);
        membership.close();
        ends(thread);
    }

    @Test
    void an_election_over_a_membership_that_cannot_be_opened_leaves_no_thread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        var membership = new EmptyMembership();
        membership.silence = Optional.of(Duration.ofHours(1));
        assertThatThrownBy(() ->
                        RingElection.named("orders").membership(membership).open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a silent member stays in the view for ");
        membership.silence = Optional.empty();
        for (Throwable failure : List.of(new IllegalStateException("takes part already"), new StackOverflowError())) {
            membership.failure = failure;
            assertThatThrownBy(() ->
                            RingElection.named("orders").membership(membership).open())
                    .isSameAs(failure);
        }
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().startsWith("doyen-members") && !before.contains(each)) {
                ends(each);
            }
        }
    }

    @Test
    void threads_of_the_caller_continue() throws Exception {
        try (var threads = new SystemThreads("callers")) {
            var membership = new EmptyMembership();
            RingElection.named("orders").membership(membership).threads(threads).open();
            membership.close();
            var later = new CountDownLatch(1);
            threads.loop(later::countDown);
            assertThat(later.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void on_a_ring_a_close_during_a_join_also_closes_the_candidate() throws Exception {
        try (var real = new SystemThreads("test")) {
            RingElection election = RingElection.named("orders")
                    .membership(new Alone())
                    .threads(new HookedThreads(real))
                    .open();
            var closer = new Thread(election::close);
            beforeTask.set(() -> {
                beforeTask.set(() -> {});
                startAndAwaitLock(closer);
            });
            RingCandidate candidate = election.join("a");
            closer.join();
            awaitLoop(real);

            assertThat(candidate.explain().reason()).isEqualTo(Explanation.Reason.OBSERVING);
        }
    }

    @Test
    void calls_that_the_loop_has_not_carried_out_complete_when_the_membership_ends() throws Exception {
        var membership = new EmptyMembership();
        var election = (MembershipElection)
                RingElection.named("orders").membership(membership).open();
        RingCandidate candidate = election.join("a");
        var blocked = new CountDownLatch(1);
        election.threads().loop(() -> awaitUninterrupted(blocked));
        CompletableFuture<Void> before = candidate.leave();
        membership.close();
        CompletableFuture<Void> after = candidate.resign();
        blocked.countDown();
        before.get(60, TimeUnit.SECONDS);
        after.get(60, TimeUnit.SECONDS);
        candidate.pause().get(60, TimeUnit.SECONDS);
    }

    @Test
    void a_closed_election_stays_in_the_shutdown_hook_until_its_work_has_stopped() throws Exception {
        var membership = new Alone();
        RingElection election =
                RingElection.named("orders").membership(membership).open();
        RingCandidate candidate = election.join("a");
        var ran = new CountDownLatch(1);
        candidate.whileLeading(leadership -> {
            election.close();
            assertThat(ShutdownHook.OF_JVM.closes(election)).as("the work runs").isTrue();
            ran.countDown();
        });
        assertThat(ran.getCount()).as("works that did not run to their end").isZero();
        candidate.leave().get(60, TimeUnit.SECONDS);
        assertThat(ShutdownHook.OF_JVM.closes(election))
                .as("the work has stopped")
                .isFalse();
        membership.close();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("no code interrupts the loop thread", e);
        }
    }

    private static void ends(Thread thread) throws InterruptedException {
        thread.join(Duration.ofMinutes(1).toMillis());
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
    }

    /** Starts a thread, and returns after the thread has begun to wait for a lock or has ended. */
    private static void startAndAwaitLock(Thread thread) {
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
    }

    private static void awaitLoop(Threads threads) throws InterruptedException {
        var done = new CountDownLatch(1);
        threads.loop(done::countDown);
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Threads that run {@link #beforeTask} before each loop task that the test's own thread submits. */
    private final class HookedThreads implements Threads {
        private final Threads real;
        private final Thread test = Thread.currentThread();

        HookedThreads(Threads real) {
            this.real = real;
        }

        @Override
        public boolean loop(Runnable task) {
            if (Thread.currentThread().equals(test)) {
                beforeTask.get().run();
            }
            return real.loop(task);
        }

        @Override
        public Moment now() {
            return real.now();
        }

        @Override
        public Timer at(long nanos, Runnable task) {
            return real.at(nanos, task);
        }

        @Override
        public boolean store(Runnable call) {
            return real.store(call);
        }

        @Override
        public void callback(Runnable callback) {
            real.callback(callback);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** A membership that installs no view. */
    private static final class EmptyMembership implements Membership {
        private final List<MembershipListener> listeners = new ArrayList<>();
        private Optional<Duration> silence = Optional.empty();
        private @Nullable Throwable failure;

        @Override
        public Member me() {
            return new Member("a", "1");
        }

        @Override
        public void listen(String topic, MembershipListener listener) {
            if (failure instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (failure instanceof Error thrown) {
                throw thrown;
            }
            listeners.add(listener);
        }

        @Override
        public boolean send(Member to, String topic, byte[] message) {
            return false;
        }

        @Override
        public Optional<Duration> silence() {
            return silence;
        }

        @Override
        public void close() {
            listeners.forEach(MembershipListener::ended);
        }
    }

    /** A membership whose view has only this member. */
    private static final class Alone implements Membership {
        private final List<MembershipListener> listeners = new ArrayList<>();

        @Override
        public Member me() {
            return new Member("a", "1");
        }

        @Override
        public void listen(String topic, MembershipListener listener) {
            listeners.add(listener);
            listener.installed(new View(new ViewId(1, "a"), List.of(me())));
        }

        @Override
        public boolean send(Member to, String topic, byte[] message) {
            return false;
        }

        @Override
        public Optional<Duration> silence() {
            return Optional.empty();
        }

        @Override
        public void close() {
            listeners.forEach(MembershipListener::ended);
        }
    }
}
