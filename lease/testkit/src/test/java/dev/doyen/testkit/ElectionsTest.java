package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.lease.Identity;
import dev.doyen.store.LeaseRecord;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests rule L12: many elections of one process share one session. The test moves the clock. */
class ElectionsTest {

    private static final int MANY = 50;
    private static final Duration TTL = Duration.ofSeconds(10);

    private final ManualThreads threads = new ManualThreads();
    private final MemoryLeaseStore shared = new MemoryLeaseStore();
    private final AtomicLong seeds = new AtomicLong();
    private final FaultyLeaseStore wayOfA = new FaultyLeaseStore(shared);
    private final FaultyLeaseStore wayOfB = new FaultyLeaseStore(shared);
    private final Elections a = elections(wayOfA, "a");
    private final Elections b = elections(wayOfB, "b");

    @Test
    void any_number_of_elections_needs_one_write_per_renewal() {
        List<LeaseCandidate> candidates = joinMany(a, "a");
        threads.settle();
        assertThat(candidates).allMatch(LeaseCandidate::isLeader);
        int before = wayOfA.written().size();
        threads.pass(Duration.ofMinutes(10));
        assertThat(candidates).allMatch(LeaseCandidate::isLeader);
        // The only writes are the renewals of the session, one in each renewal interval (ttl/5 = 2 s).
        assertThat(wayOfA.written().size() - before).isBetween(295, 305);
        assertThat(wayOfA.written().subList(before, wayOfA.written().size()))
                .allMatch(record -> record.election().startsWith("~session/"));
    }

    @Test
    void the_session_of_a_silent_process_is_fenced_and_its_leases_are_acquired() {
        List<LeaseCandidate> ofA = joinMany(a, "a");
        List<LeaseCandidate> ofB = joinMany(b, "b");
        threads.settle();
        assertThat(ofA).allMatch(LeaseCandidate::isLeader);
        assertThat(ofB).noneMatch(LeaseCandidate::isLeader);
        wayOfA.fault(Fault.AWAY);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(ofA).noneMatch(LeaseCandidate::isLeader);
        assertThat(ofB).noneMatch(LeaseCandidate::isLeader);
        threads.pass(Duration.ofSeconds(4));
        assertThat(ofB).allMatch(LeaseCandidate::isLeader);
        assertThat(ofB).allMatch(each -> each.leadership().orElseThrow().term() == 2);
        wayOfA.fault(Fault.NONE);
        threads.pass(Duration.ofMinutes(1));
        assertThat(ofA).noneMatch(LeaseCandidate::isLeader);
        assertThat(ofB).allMatch(LeaseCandidate::isLeader);
    }

    @Test
    void a_suspended_process_leads_nothing_after_its_return() { // L4
        List<LeaseCandidate> candidates = joinMany(a, "a");
        threads.settle();
        threads.jumpWallClock(Duration.ofMillis(7_999));
        assertThat(candidates).allMatch(LeaseCandidate::isLeader);

        threads.jumpWallClock(Duration.ofMillis(1));

        assertThat(candidates)
                .noneMatch(LeaseCandidate::isLeader)
                .allMatch(each -> each.leadership().isEmpty());
    }

    @Test
    void a_session_is_fenced_before_its_leases_are_acquired() {
        joinMany(a, "a");
        threads.settle();
        String session = wayOfA.written().get(0).election();
        joinMany(b, "b");
        wayOfA.fault(Fault.AWAY);
        int before = wayOfB.written().size();
        threads.pass(Duration.ofSeconds(13));
        List<LeaseRecord> written =
                wayOfB.written().subList(before, wayOfB.written().size());
        int fence = firstIndex(written, record -> record.election().equals(session));
        int taken = firstIndex(written, record -> record.election().startsWith("e"));
        assertThat(fence).isNotNegative().isLessThan(taken);
        assertThat(written.get(fence).isHeld()).isFalse();
        assertThat(written.get(fence).term()).isEqualTo(2);
    }

    @Test
    void a_single_leadership_is_released_without_the_others() {
        List<LeaseCandidate> ofA = joinMany(a, "a");
        List<LeaseCandidate> ofB = joinMany(b, "b");
        threads.settle();
        ofA.get(7).resign();
        threads.settle();
        assertThat(ofB.get(7).isLeader()).isTrue();
        assertThat(ofA).filteredOn(LeaseCandidate::isLeader).hasSize(MANY - 1);
    }

    @Test
    void the_loss_of_the_session_is_reported_to_each_election() {
        LeaseCandidate candidate = a.named("e").join("a");
        List<String> received = record(candidate);
        threads.settle();
        wayOfA.fault(Fault.AWAY);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(received).containsExactly("elected 1", "jeopardy", "lost EXPIRED");
        wayOfA.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(6));
        assertThat(received).endsWith("elected 2");
    }

    @Test
    void a_missed_session_renewal_is_reported_and_recovered() {
        LeaseCandidate candidate = a.named("e").join("a");
        List<String> received = record(candidate);
        threads.settle();
        wayOfA.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(4));
        wayOfA.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(4));
        assertThat(received).containsExactly("elected 1", "jeopardy", "recovered");
        assertThat(candidate.isLeader()).isTrue();
    }

    @Test
    void a_new_epoch_waits_for_the_work_of_the_old_one() {
        var context = LoopContext.underSession(
                threads, wayOfA, LeaseTiming.ofTtl(TTL), seeds::incrementAndGet, "stubborn process");
        List<ElectionEvent> received = new ArrayList<>();
        var loop = new LeaseLoop(context, "e", Priority.DEFAULT, received::add);
        loop.start();
        loop.campaign(new Identity("s", "s-1"));
        threads.settle();
        String session =
                shared.read("e").record().orElseThrow().epoch().orElseThrow().session();
        wayOfA.fault(Fault.AWAY);
        threads.pass(Duration.ofMillis(8_001));
        assertThat(received).contains(new ElectionEvent.Lost(1, LossCause.EXPIRED));
        wayOfA.fault(Fault.NONE);
        threads.pass(Duration.ofSeconds(9));
        assertThat(shared.read(session).record().orElseThrow().term())
                .as("the epoch does not change while the work runs")
                .isEqualTo(1);
        threads.pass(Duration.ofSeconds(2));
        assertThat(shared.read(session).record().orElseThrow().term())
                .as("a new epoch begins a ttl after the end of the old one")
                .isEqualTo(2);
    }

    @Test
    void a_candidate_with_its_own_lease_competes_in_the_same_election() {
        LeaseCandidate under = a.named("e").join("a");
        threads.settle();
        Election plain = Election.lease("e")
                .store(wayOfB)
                .threads(threads, seeds::incrementAndGet)
                .open();
        LeaseCandidate renewing = plain.join("plain");
        threads.pass(Duration.ofMinutes(1));
        assertThat(under.isLeader()).isTrue();
        assertThat(renewing.isLeader()).isFalse();
        assertThat(renewing.explain().reason()).isEqualTo(Reason.HELD);
        wayOfA.fault(Fault.AWAY);
        threads.pass(Duration.ofSeconds(12));
        assertThat(renewing.isLeader()).isTrue();
        wayOfA.fault(Fault.NONE);
        threads.pass(Duration.ofMinutes(1));
        assertThat(under.isLeader()).isFalse();
        renewing.resign();
        threads.pass(Duration.ofSeconds(1));
        assertThat(under.isLeader()).isTrue();
    }

    @Test
    void a_released_session_record_is_reused_in_a_higher_epoch() {
        LeaseCandidate first = a.named("e").join("a");
        threads.settle();
        assertThat(first.isLeader()).isTrue();
        String given = wayOfA.written().get(0).election();
        a.close();
        assertThat(shared.read(given).record().orElseThrow().isHeld()).isFalse();
        Elections c = elections(new FaultyLeaseStore(shared), "c");
        LeaseCandidate next = c.named("e").join("c");
        threads.pass(Duration.ofSeconds(1));
        assertThat(next.isLeader()).isTrue();
        LeaseRecord session = shared.read(given).record().orElseThrow();
        assertThat(session.holder()).isEqualTo("c");
        assertThat(session.term()).isEqualTo(2);
    }

    @Test
    void an_admin_command_reaches_a_leader_that_does_not_renew() { // M4
        LeaseCandidate ofA = a.named("e").join("a");
        LeaseCandidate ofB = b.named("e").join("b");
        threads.pass(Duration.ofSeconds(5));
        assertThat(ofA.isLeader()).isTrue();
        b.named("e").control("ops").transferTo("b", "maintenance");
        threads.pass(Duration.ofMillis(1));
        assertThat(ofB.isLeader()).isTrue();
        assertThat(ofA.history().get(0).end()).isEqualTo(LossCause.TRANSFERRED);
        assertThat(ofA.history().get(0).by()).isEqualTo("ops");
        assertThat(ofA.history().get(0).reason()).isEqualTo("maintenance");
    }

    @Test
    void state_is_saved_under_the_election_and_received_by_the_next_leader() throws Exception {
        LeaseCandidate ofA = a.named("e").join("a");
        LeaseCandidate ofB = b.named("e").join("b");
        threads.settle();
        LeaseLeadership leadership = ofA.leadership().orElseThrow();
        leadership.save(SavedState.ofText("row 41"));
        ofA.resign();
        threads.settle();
        assertThat(ofB.leadership().orElseThrow().state().text()).isEqualTo("row 41");
    }

    @Test
    void closed_elections_have_released_all_leases_and_accept_no_candidate() {
        Election orders = a.named("orders");
        LeaseCandidate candidate = orders.join("a");
        threads.settle();
        assertThat(candidate.isLeader()).isTrue();
        a.close();
        a.close();
        assertThat(last(wayOfA, "orders").isHeld()).isFalse();
        assertThat(last(wayOfA, "~session/").isHeld()).isFalse();
        assertThatThrownBy(() -> orders.join("a")).hasMessage("election \"orders\" is closed");
        assertThatThrownBy(() -> a.named("orders"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the elections are closed; \"orders\" cannot be opened");
    }

    @Test
    void a_closed_election_can_be_opened_again_by_its_name() {
        Election first = a.named("orders");
        first.close();
        assertThatThrownBy(() -> first.join("a")).hasMessage("election \"orders\" is closed");
        LeaseCandidate candidate = a.named("orders").join("a");
        threads.settle();
        assertThat(candidate.isLeader()).isTrue();
    }

    @Test
    void close_by_an_interrupted_thread_does_not_wait_and_the_interrupt_stays() {
        a.named("orders").join("a");
        threads.settle();
        Thread.currentThread().interrupt();
        a.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_session_that_cannot_be_released_is_logged() {
        assertThat(loggedAtClose(a)).isEmpty();
        b.named("orders").join("b");
        threads.settle();
        wayOfB.fault(Fault.AWAY);
        assertThat(loggedAtClose(b))
                .containsExactly("the session could not be released in time; it is released later or expires");
    }

    private static List<String> loggedAtClose(Elections elections) {
        try (var log = new LogLines("the session")) {
            elections.close();
            return log.lines();
        }
    }

    /** Returns the last written record of an election whose name begins with {@code name}. */
    private static LeaseRecord last(FaultyLeaseStore store, String name) {
        return store.written().stream()
                .filter(record -> record.election().startsWith(name))
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    private static int firstIndex(List<LeaseRecord> records, java.util.function.Predicate<LeaseRecord> condition) {
        for (int i = 0; i < records.size(); i++) {
            if (condition.test(records.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private List<LeaseCandidate> joinMany(Elections elections, String id) {
        List<LeaseCandidate> candidates = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            candidates.add(elections.named("e" + i).join(id));
        }
        return candidates;
    }

    private List<String> record(LeaseCandidate candidate) {
        List<String> received = new ArrayList<>();
        candidate.listen(new ElectionListener<LeaseLeadership>() {
            @Override
            public void elected(LeaseLeadership leadership) {
                received.add("elected " + leadership.term());
            }

            @Override
            public void jeopardy(Duration remaining, String reason) {
                received.add("jeopardy");
            }

            @Override
            public void recovered() {
                received.add("recovered");
            }

            @Override
            public void lost(LossCause cause) {
                received.add("lost " + cause);
            }
        });
        return received;
    }

    private Elections elections(FaultyLeaseStore store, String process) {
        return Elections.lease()
                .store(store)
                .process(process)
                .ttl(TTL)
                .threads(threads, seeds::incrementAndGet)
                .open();
    }
}
