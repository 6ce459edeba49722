package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests rule L12: which sessions a process observes, and when a session wakes the elections of the process.
 *
 * <p>The test moves the clock.
 */
class SessionRegistryTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    /** The session record of another process. Its number is too high to be chosen by the tested process. */
    private static final String OTHERS = "~session/100";

    /** The session record that the tested process chooses first. */
    private static final String OWN = "~session/4";

    private final ManualThreads threads = new ManualThreads();
    private final MemoryLeaseStore shared = new MemoryLeaseStore();
    private final OtherProcess other = new OtherProcess(shared);
    private final FaultyLeaseStore network = new FaultyLeaseStore(shared);
    private final RecordingStore store = new RecordingStore(network, threads);
    private final LoopContext context = LoopContext.underSession(threads, store, LeaseTiming.ofTtl(TTL), () -> 7, "a");

    @Test
    void a_process_does_not_watch_its_own_session() {
        LeaseLoop loop = candidate("e", new Steps());
        threads.settle();
        assertThat(loop.leads()).isTrue();
        assertThat(shared.read("e").record().orElseThrow().epoch()).contains(new LeaseRecord.Epoch(OWN, 1));
        store.reads.clear();
        threads.pass(TTL.multipliedBy(10));

        assertThat(loop.leads()).isTrue();
        assertThat(store.reads).isEmpty();
    }

    @Test
    void the_session_of_another_process_is_watched_until_its_last_election_is_closed() {
        other.acquire(OTHERS, TTL);
        LeaseLoop first = heldByOther("e1", new Steps());
        LeaseLoop second = heldByOther("e2", new Steps());
        first.leave();
        assertThat(readsOf(OTHERS)).isPositive();

        second.leave();
        threads.settle();
        assertThat(readsOf(OTHERS)).isZero();
    }

    @Test
    void an_election_of_a_session_is_acquired_after_another_one_was_closed() {
        other.acquire(OTHERS, TTL);
        LeaseLoop first = heldByOther("e1", new Steps());
        LeaseLoop second = heldByOther("e2", new Steps());
        first.leave();
        threads.pass(TTL.multipliedBy(2));

        assertThat(second.leads()).isTrue();
    }

    @Test
    void an_unused_session_is_removed_and_watched_again_when_used() {
        other.acquire(OTHERS, TTL);
        LeaseLoop own = candidate("mine", new Steps());
        LeaseLoop first = heldByOther("e1", new Steps());
        assertThat(own.leads()).isTrue();
        first.leave();
        own.resign(Duration.ZERO, "");
        threads.settle();
        assertThat(own.view().sessions().seen()).isEmpty();

        LeaseLoop second = heldByOther("e2", new Steps());
        threads.pass(TTL.multipliedBy(2));
        assertThat(second.leads()).isTrue();
    }

    @Test
    void a_session_is_no_longer_watched_after_its_election_moved_to_another_one() {
        other.acquire(OTHERS, TTL);
        other.acquire("~session/200", TTL);
        LeaseLoop loop = heldByOther("e", new Steps());
        other.acquireUnder(new LeaseRecord.Epoch("~session/200", 1), "e", TTL);
        threads.settle();

        assertThat(readsOf(OTHERS)).isZero();
        assertThat(loop.leads())
                .as("the candidate leads after the other session was fenced")
                .isTrue();
    }

    @Test
    void a_renewal_of_a_session_causes_no_step_of_its_elections() {
        other.acquire(OTHERS, TTL);
        var steps = new Steps();
        heldByOther("e", steps);
        int before = steps.count;
        for (int i = 0; i < 5; i++) {
            threads.pass(Duration.ofSeconds(1));
            other.acquire(OTHERS, TTL);
        }
        threads.settle();

        assertThat(steps.count).isEqualTo(before);
    }

    @Test
    void an_election_is_acquired_at_once_when_its_session_is_released() {
        other.acquire(OTHERS, TTL);
        LeaseLoop loop = heldByOther("e", new Steps());
        threads.pass(Duration.ofSeconds(1));
        other.release(OTHERS, TTL);
        threads.settle();

        assertThat(loop.leads()).isTrue();
    }

    @Test
    void an_election_is_acquired_at_once_when_its_session_has_a_new_epoch() {
        other.acquire(OTHERS, TTL);
        LeaseLoop loop = heldByOther("e", new Steps());
        threads.pass(Duration.ofSeconds(1));
        other.release(OTHERS, TTL);
        other.acquire(OTHERS, TTL);
        threads.settle();

        assertThat(loop.leads()).isTrue();
    }

    @Test
    void an_election_is_acquired_when_its_session_is_first_silent() {
        other.acquire(OTHERS, TTL);
        LeaseLoop loop = heldByOther("e", new Steps());
        threads.pass(TTL.minusNanos(1));
        assertThat(loop.leads()).isFalse();

        threads.pass(Duration.ofNanos(1));
        assertThat(loop.leads()).isTrue();
    }

    @Test
    void a_fence_of_the_own_session_ends_its_terms_at_once() {
        var steps = new Steps();
        LeaseLoop loop = candidate("e", steps);
        threads.pass(Duration.ofSeconds(1));
        assertThat(loop.leads()).isTrue();
        other.acquire(OWN, TTL);
        threads.settle();

        assertThat(loop.leads()).isFalse();
        assertThat(steps.events).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
    }

    @Test
    void the_end_of_an_epoch_is_reported_before_another_record_is_used() {
        LeaseLoop loop = candidate("e", new Steps());
        threads.pass(Duration.ofSeconds(1));
        network.fault("~session/16", Fault.AWAY);
        other.acquire(OWN, TTL);
        threads.settle();
        loop.workStopped(1);
        threads.pass(Duration.ofSeconds(1));
        assertThat(loop.view().sessions().own()).isEmpty();
        assertThat(loop.view().sessions().seen())
                .hasEntrySatisfying(OWN, seen -> assertThat(seen.hasEnded(1)).isTrue());

        network.fault("~session/16", Fault.NONE);
        threads.pass(Duration.ofSeconds(1));
        assertThat(loop.leads()).isTrue();
        assertThat(shared.read("e").record().orElseThrow().epoch()).contains(new LeaseRecord.Epoch("~session/5", 1));
    }

    @Test
    void the_last_holder_of_a_reused_record_is_not_reported_as_leader() {
        network.fault("~session/16", Fault.AWAY);
        other.acquire(OWN, TTL);
        other.acquireUnder(new LeaseRecord.Epoch(OWN, 1), "e", TTL);
        var steps = new Steps();
        LeaseLoop loop = candidate("e", steps);
        threads.pass(Duration.ofSeconds(1));
        other.release(OWN, TTL);
        threads.settle();
        network.fault("~session/16", Fault.NONE);
        threads.pass(Duration.ofSeconds(1));

        assertThat(loop.leads()).isTrue();
        assertThat(steps.events)
                .filteredOn(ElectionEvent.LeaderChanged.class::isInstance)
                .containsExactly(
                        new ElectionEvent.LeaderChanged(Optional.of(new Leader("other", 1))),
                        new ElectionEvent.LeaderChanged(Optional.empty()),
                        new ElectionEvent.LeaderChanged(Optional.of(new Leader("a", 2))));
    }

    @Test
    void a_close_ends_when_the_session_is_released() {
        threads.settle();
        assertThat(shared.read(OWN).record().orElseThrow().isHeld()).isTrue();
        var closed = new ArrayList<String>();
        context.sessions().close(() -> closed.add("closed"));
        threads.settle();

        assertThat(shared.read(OWN).record().orElseThrow().isHeld()).isFalse();
        assertThat(closed).containsExactly("closed");
    }

    @Test
    void a_close_ends_at_once_if_the_process_has_no_session() {
        var renewing = LoopContext.renewing(threads, shared, LeaseTiming.ofTtl(TTL), () -> 7);
        var closed = new ArrayList<String>();
        renewing.sessions().close(() -> closed.add("closed"));
        threads.settle();

        assertThat(closed).containsExactly("closed");
    }

    /** Lets three ttl pass, and returns how often the process read the given record during this time. */
    private int readsOf(String election) {
        store.reads.clear();
        threads.pass(TTL.multipliedBy(3));
        return (int) store.reads.stream().filter(election::equals).count();
    }

    /** Returns a candidate of the tested process. The other process leads the election under its own session. */
    private LeaseLoop heldByOther(String election, LeaseListener listener) {
        other.acquireUnder(new LeaseRecord.Epoch(OTHERS, 1), election, TTL);
        LeaseLoop loop = candidate(election, listener);
        threads.settle();
        assertThat(loop.leads()).isFalse();
        return loop;
    }

    private LeaseLoop candidate(String election, LeaseListener listener) {
        var loop = new LeaseLoop(context, election, Priority.DEFAULT, listener);
        loop.start();
        loop.campaign(new Identity("a", "a-1"));
        return loop;
    }

    /** Counts the steps of a loop and collects its events. */
    private static final class Steps implements LeaseListener {
        private final List<ElectionEvent> events = new ArrayList<>();
        private int count;

        @Override
        public void observed(LeaseState state, Moment now) {
            count++;
        }

        @Override
        public void onEvent(ElectionEvent event) {
            events.add(event);
        }
    }
}
