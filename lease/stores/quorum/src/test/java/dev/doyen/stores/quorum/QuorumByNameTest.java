package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.HeldPorts;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests members and clients that connect to each other by name, like the pods of a StatefulSet. Each process has its
 * own loopback address.
 */
@Timeout(300)
class QuorumByNameTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_ATTEMPTS = 20;

    private static final String ELECTION = "nightly";

    @TempDir
    private Path folder;

    private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();
    private final Map<Integer, OpenMember> members = new ConcurrentHashMap<>();
    private final HeldPorts ports = HeldPorts.withAnother(1);
    private final int port = ports.take(1).get(0);

    @BeforeEach
    void publish() throws Exception {
        LibraryLog.off();
        ports.release(port);
        for (int i = 0; i < 3; i++) {
            publish("doyen-" + i + ".svc", i + 1);
        }
        publish("svc", 1, 2, 3);
    }

    @AfterEach
    void close() {
        members.values().forEach(OpenMember::close);
        ports.close();
    }

    @Test
    void a_pod_that_returns_with_another_address_is_found() throws Exception {
        start(0, 1, 2);
        LeaseVersion version = written(0, LeaseVersion.ABSENT, 1);
        stop(1);
        publish("doyen-1.svc", 4);
        start(1);
        stop(2);

        // The two running members are a majority only if they can reach each other.
        written(0, version, 2);
    }

    @Test
    void a_client_finds_all_members_behind_one_name() throws Exception {
        start(0, 1, 2);
        LeaseVersion version = written(0, LeaseVersion.ABSENT, 1);
        // No process listens at the last address.
        publish("svc", 1, 2, 3, 9);
        var settings = QuorumClientSettings.of(List.of("svc:" + port)).withTimeout(Duration.ofSeconds(30));
        try (OpenClient client = OpenClient.open(settings, system(this::addresses, Duration.ZERO))) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.client().read(ELECTION, settings.timeout()).version())
                        .isEqualTo(version);
                int serving = serving();
                stop(serving);
                assertThat(client.client().read(ELECTION, settings.timeout()).version())
                        .isEqualTo(version);
                start(serving);
            }
        }
    }

    @Test
    void a_member_waits_until_its_own_name_has_an_address() throws Exception {
        List<InetAddress> late = names.remove("doyen-0.svc");
        var lookups = new CountDownLatch(3);
        HostNames counted = name -> {
            if (name.equals("doyen-0.svc")) {
                lookups.countDown();
            }
            return addresses(name);
        };
        CompletableFuture<OpenMember> opening = CompletableFuture.supplyAsync(
                () -> OpenMember.open(settings(0), system(counted, Duration.ofMinutes(1))));
        assertThat(lookups.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(opening).isNotDone();
        names.put("doyen-0.svc", late);
        members.put(0, opening.get(60, TimeUnit.SECONDS));
    }

    @Test
    void a_name_that_cannot_be_resolved_is_reported_with_a_remedy() {
        names.remove("doyen-0.svc");
        assertThatThrownBy(() -> OpenMember.open(settings(0), system(this::addresses, Duration.ZERO)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("this member of the quorum cannot listen on doyen-0.svc:" + port
                        + ": its host is unknown; name the host at which other members reach this process");
    }

    @Test
    void a_member_can_listen_at_another_address_than_the_one_that_others_use() throws Exception {
        // The member listens only on the address of the host name "inside". In production, a proxy would forward
        // connections to this address.
        publish("inside", 7);
        members.put(
                0, OpenMember.open(settings(0).withListen("inside:" + port), system(this::addresses, Duration.ZERO)));
        try (RawPeer peer = RawPeer.connectTo(names.get("inside").get(0), port)) {
            assertThat(peer.port()).isPositive();
        }
        assertThatThrownBy(() -> RawPeer.connectTo(names.get("doyen-0.svc").get(0), port))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void the_wildcard_address_needs_a_secret_and_an_explicit_setting() {
        String every = "0.0.0.0:" + port;
        assertThatThrownBy(
                        () -> TcpWire.listening(every, Optional.empty(), Optional.of(WireKeys.KEY), WireSystem.DEFAULT))
                .hasMessageContaining("which means every address; give the address at which other members reach this"
                        + " process, and also listen=" + every);
        assertThatThrownBy(() -> TcpWire.listening(
                        "127.0.0.1:" + port, Optional.of(every), Optional.empty(), WireSystem.DEFAULT))
                .hasMessageContaining("which other machines can reach, without a secret");
        try (TcpWire wire = TcpWire.listening(
                "127.0.0.1:" + port, Optional.of(every), Optional.of(WireKeys.KEY), WireSystem.DEFAULT)) {
            assertThat(wire.address()).isEqualTo("127.0.0.1:" + port);
        }
    }

    private void start(int... numbers) {
        for (int number : numbers) {
            members.put(number, OpenMember.open(settings(number), system(this::addresses, Duration.ZERO)));
        }
    }

    private void stop(int number) {
        members.remove(number).close();
    }

    private int serving() {
        return members.entrySet().stream()
                .filter(each -> each.getValue().process().clients().clientCount() > 0)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private QuorumSettings settings(int number) {
        return ((QuorumSettings) QuorumUrl.parse(
                        "quorum://svc:" + port + folder.resolve("doyen-" + number) + "?members=3",
                        () -> "doyen-" + number))
                .withTimeout(Duration.ofSeconds(30));
    }

    private WireSystem system(HostNames found, Duration nameWait) {
        var limits = new TestLimits();
        limits.ownName = nameWait;
        limits.silence = Duration.ofSeconds(5);
        limits.keepAlive = Duration.ofSeconds(1);
        return new WireSystem(limits.made(), Thread::new, found);
    }

    private List<InetAddress> addresses(String name) throws UnknownHostException {
        List<InetAddress> found = names.get(name);
        if (found == null) {
            throw new UnknownHostException(name);
        }
        return found;
    }

    private void publish(String name, int... lastBytes) throws UnknownHostException {
        List<InetAddress> found = new ArrayList<>();
        for (int last : lastBytes) {
            found.add(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}));
        }
        names.put(name, found);
    }

    /** Writes the record, and repeats the write if the leader of the log has changed. */
    private LeaseVersion written(int number, LeaseVersion expected, long term) {
        QuorumProcess process = members.get(number).process();
        var write = new LeaseStore.Write(expected, LeaseRecords.record(ELECTION, "holder", term, SavedState.EMPTY));
        for (int attempt = 1; ; attempt++) {
            try {
                CasOutcome outcome =
                        process.write(List.of(write), TIMEOUT).join().get(0);
                if (outcome instanceof CasOutcome.Conflict conflict && attempt > 1) {
                    // An earlier attempt has written the record, although its answer was lost.
                    assertThat(conflict.current().record().orElseThrow().term()).isEqualTo(term);
                    return conflict.current().version();
                }
                assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
                return ((CasOutcome.Written) outcome).version();
            } catch (CompletionException e) {
                if (attempt == MAX_ATTEMPTS || !(e.getCause() instanceof StoreUnavailableException)) {
                    throw e;
                }
            }
        }
    }
}
