package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.StoreUnavailableException;
import io.microraft.model.message.RaftMessage;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the limits of clients, and of members that serve clients. */
@Timeout(300)
class QuorumClientLimitsTest {

    private static final String ELECTION = "nightly";

    private final MembersInMemory members = new MembersInMemory();

    @AfterEach
    void close() {
        members.close();
    }

    @Test
    void calls_and_watches_are_limited() {
        QuorumClient client = members.client("client:1", Duration.ofSeconds(4));
        members.endpoints().forEach(each -> members.network().cut("client:1", each.address()));
        for (int i = 0; i < QuorumClient.MAX_CALLS; i++) {
            var unused = client.fetch(List.of(ELECTION), MembersInMemory.TIMEOUT);
        }
        assertThat(client.fetch(List.of(ELECTION), Duration.ofSeconds(4))
                        .handle((done, failure) -> Requests.reason(failure))
                        .join())
                .isEqualTo(
                        "1000 calls of this process already wait for a member of the quorum;" + " more are not made");
        for (int i = 0; i < WatchedLeases.MAX; i++) {
            var unused = client.watch("election " + i, () -> {});
        }
        client.watch("election 0", () -> {});
        assertThatThrownBy(() -> client.watch("one more", () -> {}))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("this process watches 5000 elections through members of the quorum, which is the limit");
        assertThatThrownBy(() -> client.read("", MembersInMemory.TIMEOUT)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_member_serves_a_limited_number_of_clients() throws Exception {
        members.store(0);
        String address = members.endpoints().get(0).address();
        byte[] connect = Frames.request(1, Frames.Request.CONNECT, ClientBytes.ofWait(Duration.ofSeconds(30)));
        List<Arrivals> arrivals = new ArrayList<>();
        for (int i = 0; i <= ClientRequests.MAX_CLIENTS; i++) {
            var arrived = new Arrivals();
            Wire wire = members.network().wire("raw:" + i);
            wire.start(arrived);
            wire.peer(address).send(connect);
            arrivals.add(arrived);
        }
        List<String> reasons = new ArrayList<>();
        for (Arrivals each : arrivals) {
            Frames.read(each.next().frame(), new AnswerReasons(reasons));
        }
        assertThat(reasons).containsExactly("it serves 800 clients already");
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WATCH"})
    void a_member_without_a_leader_rejects_reads(Frames.Request request) {
        members.store(0);
        QuorumMember member = members.process(0).running().join();
        Wire.Peer client = frame -> {};
        Duration limit = QuorumSettings.MAX_TIMEOUT;
        serve(member, client, Frames.Request.CONNECT, ClientBytes.ofWait(limit)).join();
        for (QuorumEndpoint each : members.endpoints()) {
            members.network().cut(each.address(), members.endpoints().get(0).address());
            members.network().cut(members.endpoints().get(0).address(), each.address());
        }
        Waiting.until("the member rejects what it may not answer", () -> isTooOld(member));

        Requests.Answered answered = serve(
                        member, client, request, new ClientBytes.Read(limit, List.of(ELECTION)).bytes())
                .join();
        assertThat(answered.answer()).isEqualTo(Frames.Answer.UNAVAILABLE);
        assertThat(answered.reason()).contains("no majority");
    }

    @Test
    void a_check_that_could_not_be_scheduled_is_scheduled_for_the_next_client() { // L8
        members.store(0);
        QuorumMember member = members.process(0).running().join();
        var failing = new AtomicBoolean(true);
        var scheduled = new AtomicInteger();
        var requests = new ClientRequests((RaftTime) Proxy.newProxyInstance(
                RaftTime.class.getClassLoader(), new Class<?>[] {RaftTime.class}, (proxy, method, arguments) -> {
                    if (failing.get()) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    scheduled.incrementAndGet();
                    return null;
                }));
        byte[] connect = ClientBytes.ofWait(QuorumSettings.MAX_TIMEOUT);
        assertThatThrownBy(() -> requests.serve(member, frame -> {}, Frames.Request.CONNECT, connect))
                .hasMessage("on purpose");
        failing.set(false);
        requests.serve(member, frame -> {}, Frames.Request.CONNECT, connect).join();

        assertThat(scheduled).hasValue(1);
    }

    private CompletableFuture<Requests.Answered> serve(
            QuorumMember member, Wire.Peer client, Frames.Request request, byte[] body) {
        return members.process(0).clients().serve(member, client, request, body);
    }

    private static boolean isTooOld(QuorumMember member) {
        try {
            member.checkUpToDate(ClientRequests.MAX_AGE);
            return false;
        } catch (StoreUnavailableException e) {
            return true;
        }
    }

    /** Collects the reasons of rejected requests. */
    private record AnswerReasons(List<String> reasons) implements Frames.Cases {
        @Override
        public void raft(String directory, RaftMessage message) {}

        @Override
        public void request(long number, Frames.Request request, byte[] body) {}

        @Override
        public void answer(long number, Frames.Answer answer, byte[] body) {
            if (answer != Frames.Answer.DONE) {
                reasons.add(new ByteSource(body).text());
            }
        }
    }

    @Test
    void requests_and_watches_of_one_client_are_limited() {
        var client = new ClientConnection(frame -> {});
        for (int i = 0; i < ClientConnection.MAX_WAITING; i++) {
            client.requestArrived();
        }
        assertThatThrownBy(client::requestArrived).isInstanceOf(MalformedBytesException.class);
        client.requestAnswered();
        client.requestArrived();

        List<String> elections =
                IntStream.range(0, WatchedLeases.MAX).mapToObj(i -> "e" + i).toList();
        client.watch(elections, election -> () -> {});
        client.watch(elections, election -> () -> {});
        assertThatThrownBy(() -> client.watch(List.of("one more"), election -> () -> {}))
                .isInstanceOf(MalformedBytesException.class);
        client.ended();
        client.watch(List.of("late"), election -> () -> {});
        assertThat(client.watchCount()).isZero();
    }
}
