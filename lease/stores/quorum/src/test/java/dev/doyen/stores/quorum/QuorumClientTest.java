package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests, with three members in memory, which member a client uses and which requests it repeats. */
@Timeout(300)
class QuorumClientTest {

    private static final String ELECTION = "nightly";

    /** A short timeout: the client soon disconnects from a silent member. */
    private static final Duration SHORT = Duration.ofSeconds(4);

    /** A long timeout: the client stays connected even if the machine is busy. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private final MembersInMemory members = new MembersInMemory();
    private final Semaphore announced = new Semaphore(0);

    @AfterEach
    void close() {
        members.close();
    }

    @Test
    void a_client_continues_with_another_member_if_its_member_is_silent() {
        QuorumClient client = members.client("client:1", SHORT);
        LeaseVersion version = written(client, LeaseVersion.ABSENT, 1);
        int first = server();
        cut("client:1", members.endpoints().get(first).address());

        assertThat(read(client).version()).isEqualTo(version);
        // The silent member counts the client as connected until it detects that the client is gone.
        await(() -> server() != first && server() != -1);
    }

    @Test
    void a_client_leaves_a_member_without_a_majority_and_gets_the_next_change() throws Exception {
        QuorumClient client = members.client("client:1", SHORT);
        LeaseVersion version = written(client, LeaseVersion.ABSENT, 1);
        client.watch(ELECTION, announced::release);
        await(() -> server() >= 0 && members.process(server()).clients().watchCount() == 1);
        int first = server();
        for (int other = 0; other < 3; other++) {
            if (other != first) {
                cut(
                        members.endpoints().get(first).address(),
                        members.endpoints().get(other).address());
            }
        }
        await(() -> members.process(first).clients().clientCount() == 0);
        await(() -> server() >= 0);
        assertThat(server()).isNotEqualTo(first);
        announced.drainPermits();

        written(members.process(server()), version, 2);
        awaitAnnouncement();
        await(() -> read(client).record().orElseThrow().term() == 2);
    }

    @Test
    void changes_during_a_disconnection_are_announced_after_it() throws Exception {
        QuorumClient client = members.client("client:1", SHORT);
        LeaseVersion version = written(client, LeaseVersion.ABSENT, 1);
        client.watch(ELECTION, announced::release);
        await(() -> client.isCopied(ELECTION));
        awaitAnnouncement();
        members.endpoints().forEach(each -> cut("client:1", each.address()));
        members.network()
                .disconnect("client:1", members.endpoints().get(server()).address());
        await(() -> !client.isCopied(ELECTION));

        written(members.process(0), version, 2);
        assertThat(announced.availablePermits()).isZero();
        members.network().heal();
        awaitAnnouncement();
        await(() -> client.isCopied(ELECTION));
        assertThat(read(client).record().orElseThrow().term()).isEqualTo(2);
    }

    @Test
    void a_watched_record_is_read_without_a_request() throws Exception {
        QuorumClient client = members.client("client:1", LONG);
        LeaseVersion version = written(client, LeaseVersion.ABSENT, 1);
        LeaseStore.Watch watch = client.watch(ELECTION, announced::release);
        await(() -> client.isCopied(ELECTION));
        awaitAnnouncement();
        long frames = members.network().sentBy("client:1");

        LeaseVersion second = written(members.process(0), version, 2);
        awaitAnnouncement();
        assertThat(read(client).version()).isEqualTo(second);
        assertThat(members.network().sentBy("client:1")).isEqualTo(frames);

        watch.close();
        watch.close();
        await(() -> members.process(server()).clients().watchCount() == 0);
        assertThat(client.isCopied(ELECTION)).isFalse();
        frames = members.network().sentBy("client:1");
        assertThat(read(client).version()).isEqualTo(second);
        assertThat(members.network().sentBy("client:1")).isEqualTo(frames + 1);
    }

    @Test
    void its_own_write_is_announced_and_read_at_once() throws Exception {
        QuorumClient client = members.client("client:1", LONG);
        client.watch(ELECTION, announced::release);
        await(() -> client.isCopied(ELECTION));
        LeaseVersion version = LeaseVersion.ABSENT;
        for (int term = 1; term <= 50; term++) {
            announced.drainPermits();
            version = written(client, version, term);
            assertThat(read(client).version()).isEqualTo(version);
            awaitAnnouncement();
        }
        CasOutcome refused = client.write(List.of(write(LeaseVersion.ABSENT, 99)), MembersInMemory.TIMEOUT)
                .join()
                .get(0);
        assertThat(refused).isEqualTo(new CasOutcome.Conflict(read(client)));
    }

    @Test
    void many_records_are_read_by_one_request_unless_the_answer_is_too_large() {
        QuorumClient client = members.client("client:1", LONG);
        List<LeaseStore.Write> writes = new ArrayList<>();
        List<String> elections = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            elections.add("election " + i);
            writes.add(new LeaseStore.Write(
                    LeaseVersion.ABSENT, LeaseRecords.record("election " + i, "holder", i + 1, SavedState.EMPTY)));
        }
        written(client, LeaseVersion.ABSENT, 1);
        client.write(writes, MembersInMemory.TIMEOUT).join();
        long frames = members.network().sentBy("client:1");
        Map<String, VersionedLease> found = client.readAll(elections, MembersInMemory.TIMEOUT);
        assertThat(members.network().sentBy("client:1")).isEqualTo(frames + 1);
        assertThat(found.keySet()).containsExactlyElementsOf(elections);
        assertThat(found.get("election 7").record().orElseThrow().term()).isEqualTo(8);

        var large = SavedState.of(new byte[SavedState.MAX_BYTES]);
        for (int i = 0; i < 30; i++) {
            client.write(
                            List.of(new LeaseStore.Write(
                                    found.get("election " + i).version(),
                                    LeaseRecords.record("election " + i, "holder", 1_000, large))),
                            MembersInMemory.TIMEOUT)
                    .join();
        }
        Map<String, VersionedLease> longer = client.readAll(elections, MembersInMemory.TIMEOUT);
        assertThat(longer.keySet()).containsExactlyElementsOf(elections);
        assertThat(longer.values())
                .filteredOn(each -> each.record().orElseThrow().state().equals(large))
                .hasSize(30);
        assertThat(members.network().longestAnswer()).isLessThan(2 * ClientBytes.ANSWER_BYTES);
    }

    @Test
    void a_write_whose_answer_is_lost_is_unknown_and_is_not_repeated() {
        QuorumClient client = members.client("client:1", LONG);
        LeaseVersion version = written(client, LeaseVersion.ABSENT, 1);
        int connected = server();
        String first = members.endpoints().get(connected).address();
        long writes = members.network().requestsBy("client:1", Frames.Request.WRITE_FOR_CLIENT);
        // The request arrives, but its answer does not.
        members.network().cut(first, "client:1");
        var lost = client.write(List.of(write(version, 2)), LONG);
        await(() -> members.process(connected)
                .read(ELECTION, LONG)
                .record()
                .filter(record -> record.term() == 2)
                .isPresent());
        members.network().disconnect("client:1", first);

        assertThat(failure(lost)).isEqualTo("the connection to " + first + ", a member of the quorum, broke");
        assertThat(read(client).record().orElseThrow().term()).isEqualTo(2);
        assertThat(members.network().requestsBy("client:1", Frames.Request.WRITE_FOR_CLIENT))
                .isEqualTo(writes + 1);
    }

    @Test
    void a_write_that_no_member_accepted_is_sent_to_the_next_one() {
        QuorumClient client = members.client("client:1", SHORT);
        LeaseVersion version = written(client, LeaseVersion.ABSENT, 1);
        int first = server();
        for (int other = 0; other < 3; other++) {
            if (other != first) {
                cut(
                        members.endpoints().get(first).address(),
                        members.endpoints().get(other).address());
            }
        }
        // Wait until the client's member knows no leader. Without a leader, the member forwards no write.
        await(() -> members.process(first).running().join().leader().current().isEmpty());

        written(client, version, 2);
    }

    @Test
    void without_a_majority_calls_fail_in_time_with_the_reason() {
        QuorumClient client = members.client("client:1", SHORT);
        written(client, LeaseVersion.ABSENT, 1);
        for (int one = 0; one < 3; one++) {
            for (int other = 0; other < 3; other++) {
                cut(
                        members.endpoints().get(one).address(),
                        members.endpoints().get(other).address());
            }
        }
        await(() -> failureOfRead(client).contains("no majority"));
        assertThat(failureOfRead(client))
                .matches(
                        "no member of the quorum answered within [0-9]+ ms at a:7800, b:7800, c:7800; the last problem was"
                                + " [abc]:7800: .*");
        members.network().heal();
        await(() -> failureOfRead(client).isEmpty());
    }

    @Test
    void a_hundred_candidates_have_one_leader_and_followers_send_nothing() {
        List<QuorumClient> clients = new ArrayList<>();
        List<LeaseCandidate> candidates = new ArrayList<>();
        List<Election> elections = new ArrayList<>();
        // Wait until each member is up to date, because an outdated member accepts no client.
        for (int member = 0; member < 3; member++) {
            members.store(member);
        }
        try {
            for (int i = 0; i < 100; i++) {
                QuorumClient client = members.client("client:" + i, LONG);
                Election election = Election.lease(ELECTION)
                        .store(new QuorumLeaseStore(client, Duration.ofSeconds(30), () -> {}))
                        .open();
                clients.add(client);
                elections.add(election);
                candidates.add(election.join("pod-" + i));
            }
            await(() -> leaders(candidates) == 1 && clients.stream().allMatch(each -> each.isCopied(ELECTION)));
            // On a busy machine a client can lose its connection and then send requests. So the test repeats this
            // check.
            await(() -> framesOfFollowers(candidates) == 0);
            assertThat(leaders(candidates)).isEqualTo(1);
            for (int member = 0; member < 3; member++) {
                assertThat(members.process(member).clients().clientCount())
                        .as("clients of member " + member)
                        .isPositive();
            }
        } finally {
            elections.forEach(Election::close);
        }
    }

    /**
     * Counts the frames of the followers during five renewals of the leader. All candidates read the same lease record,
     * each through its own client.
     */
    private long framesOfFollowers(List<LeaseCandidate> candidates) {
        List<Long> before = sent(candidates.size());
        for (int renewal = 0; renewal < 5; renewal++) {
            LeaseVersion version = read(members.process(0)).version();
            await(() -> !read(members.process(0)).version().equals(version));
        }
        List<Long> after = sent(candidates.size());
        long frames = 0;
        for (int i = 0; i < candidates.size(); i++) {
            frames += candidates.get(i).isLeader() ? 0 : after.get(i) - before.get(i);
        }
        return frames;
    }

    private List<Long> sent(int clients) {
        return IntStream.range(0, clients)
                .mapToObj(i -> members.network().sentBy("client:" + i))
                .toList();
    }

    private static long leaders(List<LeaseCandidate> candidates) {
        return candidates.stream().filter(LeaseCandidate::isLeader).count();
    }

    @Test
    void a_closed_client_answers_at_once() {
        QuorumClient client = members.client("client:1", SHORT);
        client.close();
        assertThat(failureOfRead(client)).isEqualTo("this client of the quorum was closed");
    }

    private void cut(String one, String other) {
        members.network().cut(one, other);
        members.network().cut(other, one);
    }

    /** Returns the number of the member that serves the test's only client; -1 if no member does. */
    private int server() {
        for (int i = 0; i < 3; i++) {
            if (members.process(i).clients().clientCount() > 0) {
                return i;
            }
        }
        return -1;
    }

    private void awaitAnnouncement() throws InterruptedException {
        assertThat(announced.tryAcquire(60, TimeUnit.SECONDS))
                .as("a change is announced")
                .isTrue();
    }

    private static VersionedLease read(Replica replica) {
        return replica.read(ELECTION, MembersInMemory.TIMEOUT);
    }

    private static String failureOfRead(QuorumClient client) {
        return failure(client.fetch(List.of(ELECTION), Duration.ofSeconds(4)));
    }

    private static String failure(CompletableFuture<?> future) {
        return future.handle((done, failure) -> failure == null ? "" : Requests.reason(failure))
                .join();
    }

    /** Writes a record once, and returns its version. Fails if the write is not confirmed. */
    private static LeaseVersion written(Replica replica, LeaseVersion expected, long term) {
        CasOutcome outcome = replica.write(List.of(write(expected, term)), MembersInMemory.TIMEOUT)
                .join()
                .get(0);
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }

    private static LeaseStore.Write write(LeaseVersion expected, long term) {
        LeaseRecord record = LeaseRecords.record(ELECTION, "holder", term, SavedState.EMPTY);
        return new LeaseStore.Write(expected, record);
    }

    private static void await(BooleanSupplier condition) {
        Waiting.until("the condition of the next line of the test", condition);
    }
}
