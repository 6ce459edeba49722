package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests clients over TCP, with members that stop, many candidates, and malformed requests. */
@Timeout(300)
class QuorumClientProcessTest {

    private static final String ELECTION = "nightly";

    @TempDir
    private Path folder;

    @Test
    void a_client_continues_after_the_kill_of_its_member_and_gets_missed_changes() throws Exception {
        try (var members = new MembersOnDisk(folder).startAll();
                QuorumLeaseStore store = QuorumLeaseStore.open(members.clientSettings())) {
            var announced = new Semaphore(0);
            LeaseVersion version = written(store, LeaseVersion.ABSENT, 1);
            assertThat(store.watch(ELECTION, announced::release)).isPresent();
            Waiting.until("a member sends changes", () -> watchedBy(members) >= 0);
            int first = watchedBy(members);
            members.stop(first);

            assertThat(store.read(ELECTION).version()).isEqualTo(version);
            Waiting.until("another member sends changes", () -> watchedBy(members) >= 0);
            announced.drainPermits();
            LeaseVersion second = written(members.store((first + 1) % 3), version, 2);
            assertThat(announced.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            Waiting.until(
                    "the change has arrived",
                    () -> store.read(ELECTION).version().equals(second));
            written(store, second, 3);
        }
    }

    @Test
    void a_member_removes_the_watches_of_a_closed_connection() {
        try (var members = new MembersOnDisk(folder).withoutSecret().startAll()) {
            QuorumLeaseStore store = QuorumLeaseStore.open(members.clientSettings());
            for (int i = 0; i < 100; i++) {
                assertThat(store.watch("election " + i, () -> {})).isPresent();
            }
            Waiting.until("all elections are watched", () -> watches(members) == 100);
            store.close();
            Waiting.until("no member serves the client", () -> clients(members) == 0);
            for (int i = 0; i < 3; i++) {
                QuorumMember member = members.process(i).running().join();
                Waiting.until("no election is watched", () -> !member.isWatched("election 7"));
            }
        }
    }

    @Test
    void a_process_without_the_secret_receives_nothing() {
        try (var members = new MembersOnDisk(folder).startAll()) {
            written(members.store(0), LeaseVersion.ABSENT, 1);
            QuorumClientSettings known = members.clientSettings();
            for (QuorumClientSettings stranger : List.of(
                    QuorumClientSettings.of(known.members()).withTimeout(Duration.ofSeconds(3)),
                    known.withSecret("another secret of many characters").withTimeout(Duration.ofSeconds(3)))) {
                try (QuorumLeaseStore store = QuorumLeaseStore.open(stranger)) {
                    assertThatThrownBy(() -> store.read(ELECTION))
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContaining("no member of the quorum answered within ")
                            .hasMessageContaining("the connection broke or could not be opened");
                    CasOutcome outcome = store.compareAndSet(
                            ELECTION,
                            LeaseVersion.ABSENT,
                            LeaseRecords.record(ELECTION, "stranger", 9, SavedState.EMPTY));
                    assertThat(outcome).isInstanceOf(CasOutcome.Unknown.class);
                }
            }
            assertThat(members.store(1).read(ELECTION).record().orElseThrow().term())
                    .isEqualTo(1);
            assertThat(clients(members)).isZero();
        }
    }

    @Test
    void an_invalid_request_ends_only_its_connection() throws Exception {
        try (var members = new MembersOnDisk(folder).withoutSecret().startAll();
                QuorumLeaseStore store = QuorumLeaseStore.open(members.clientSettings())) {
            LeaseVersion version = written(store, LeaseVersion.ABSENT, 1);
            String address = members.settings(0).self();
            byte[] connect = ClientBytes.ofWait(Duration.ofSeconds(30));
            byte[] read = new ClientBytes.Read(Duration.ofSeconds(1), List.of("e")).bytes();
            rejected(address, Frames.request(1, Frames.Request.READ, read));
            rejected(address, Frames.request(1, Frames.Request.UNWATCH, ClientBytes.ofElections(List.of("e"))));
            rejected(address, Frames.request(1, Frames.Request.CONNECT, new byte[0]));
            rejected(address, Frames.request(1, Frames.Request.CONNECT, new byte[9]));
            rejected(address, Frames.request(1, Frames.Request.CONNECT, ClientBytes.ofWait(Duration.ofDays(1))));
            List<String> tooMany =
                    IntStream.rangeClosed(0, 1_000).mapToObj(i -> "e" + i).toList();
            for (byte[] body : List.of(
                    new byte[7],
                    new ClientBytes.Read(Duration.ofSeconds(1), List.of()).bytes(),
                    new ClientBytes.Read(Duration.ofSeconds(1), List.of("x".repeat(256))).bytes(),
                    new ClientBytes.Read(Duration.ofSeconds(1), tooMany).bytes(),
                    new ByteSink().longNumber(-1).number(0).bytes())) {
                rejectedAfterConnecting(address, connect, Frames.request(2, Frames.Request.READ, body));
                rejectedAfterConnecting(address, connect, Frames.request(2, Frames.Request.WATCH, body));
                rejectedAfterConnecting(address, connect, Frames.request(2, Frames.Request.WRITE_FOR_CLIENT, body));
            }
            rejectedAfterConnecting(address, connect, Frames.request(2, Frames.Request.UNWATCH, new byte[3]));
            LeaseStore.Write write =
                    new LeaseStore.Write(LeaseVersion.ABSENT, LeaseRecords.record("e", "holder", 1, SavedState.EMPTY));
            rejectedAfterConnecting(
                    address,
                    connect,
                    Frames.request(
                            2,
                            Frames.Request.WRITE_FOR_CLIENT,
                            new ClientBytes.Write(
                                            Duration.ofSeconds(1),
                                            Collections.nCopies(QuorumLeaseStore.MAX_WRITES + 1, write))
                                    .bytes()));

            assertThat(store.read(ELECTION).version()).isEqualTo(version);
            assertThat(members.store(0).read("e").version().isAbsent()).isTrue();
        }
    }

    @Test
    void a_url_without_directory_opens_a_client_that_campaigns() throws Exception {
        try (var members = new MembersOnDisk(folder).startAll()) {
            Path secret = Files.writeString(
                    folder.resolve("secret"), members.clientSettings().secret().orElseThrow());
            String url = "quorum://" + String.join(",", members.clientSettings().members()) + "?timeout-millis=30000"
                    + "&secret-file=" + secret;
            try (LeaseStore store = LeaseStore.open(url);
                    Election election = Election.lease(ELECTION).store(store).open();
                    LeaseCandidate candidate = election.join("pod-7")) {
                Waiting.until("the client leads", candidate::isLeader);
                assertThat(members.store(2)
                                .read(ELECTION)
                                .record()
                                .orElseThrow()
                                .holder())
                        .isEqualTo("pod-7");
            }
        }
    }

    private static void rejected(String address, byte[] frame) throws IOException {
        try (RawPeer peer = RawPeer.connect(address, null)) {
            peer.writeFramed(peer.seal(frame));
            peer.awaitEnd();
        }
    }

    private static void rejectedAfterConnecting(String address, byte[] connect, byte[] frame) throws IOException {
        try (RawPeer peer = RawPeer.connect(address, null)) {
            peer.writeFramed(peer.seal(Frames.request(1, Frames.Request.CONNECT, connect)));
            byte[] answer = peer.read();
            while (answer.length == 0) {
                answer = peer.read();
            }
            peer.writeFramed(peer.seal(frame));
            peer.awaitEnd();
        }
    }

    /** Returns the number of the member that sends changes to the test's only client; -1 if no member does. */
    private static int watchedBy(MembersOnDisk members) {
        return IntStream.range(0, 3)
                .filter(members::isRunning)
                .filter(each -> members.process(each).clients().watchCount() > 0)
                .findFirst()
                .orElse(-1);
    }

    private static int watches(MembersOnDisk members) {
        return IntStream.range(0, 3)
                .map(each -> members.process(each).clients().watchCount())
                .sum();
    }

    private static int clients(MembersOnDisk members) {
        return IntStream.range(0, 3)
                .map(each -> members.process(each).clients().clientCount())
                .sum();
    }

    /**
     * Writes a record, and repeats the write while its outcome is unknown. The outcome can be unknown while the leader
     * of the log changes.
     */
    private static LeaseVersion written(LeaseStore store, LeaseVersion expected, long term) {
        List<LeaseVersion> version = new ArrayList<>();
        Waiting.until("term " + term + " is written", () -> {
            CasOutcome outcome = store.compareAndSet(
                    ELECTION, expected, LeaseRecords.record(ELECTION, "holder", term, SavedState.EMPTY));
            if (outcome instanceof CasOutcome.Written done) {
                version.add(done.version());
            } else if (outcome instanceof CasOutcome.Conflict conflict) {
                assertThat(conflict.current().record().orElseThrow().term()).isEqualTo(term);
                version.add(conflict.current().version());
            }
            return !version.isEmpty();
        });
        return version.get(0);
    }
}
