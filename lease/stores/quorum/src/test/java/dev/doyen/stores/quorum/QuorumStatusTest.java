package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.jvms.Patience;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.quorum.QuorumStatus.Member;
import dev.doyen.stores.quorum.QuorumStatus.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the status of a member, with and without a connection to the other members. */
@Timeout(300)
class QuorumStatusTest {

    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(60));

    @Test
    void the_leader_reports_what_each_member_has_confirmed_and_the_others_name_the_leader() {
        try (var members = new MembersInMemory()) {
            int leader = members.leader();
            QuorumLeaseStore store = members.store(leader);
            assertThat(store.compareAndSet(
                            "nightly", LeaseVersion.ABSENT, LeaseRecords.record("nightly", "h", 1, SavedState.EMPTY)))
                    .isInstanceOf(CasOutcome.Written.class);

            PATIENCE.await("all members have confirmed and applied all entries", () -> hasAll(store.status()));
            QuorumStatus status = store.status();
            assertThat(status.members()).extracting(Member::address).containsExactly("a:7800", "b:7800", "c:7800");
            assertThat(status.members()).extracting(Member::role).containsOnly(Role.VOTER);
            assertThat(status.members()).extracting(Member::isReachable).containsOnly(true);
            assertThat(status.isLeader()).isTrue();
            assertThat(status.problem()).isEmpty();

            QuorumLeaseStore other = members.store((leader + 1) % 3);
            PATIENCE.await(
                    "a follower reports the same",
                    () -> other.status().leader().equals(status.leader())
                            && other.status().commitIndex() >= status.commitIndex()
                            && other.status().members().stream().allMatch(Member::isReachable));
            assertThat(other.status().members())
                    .extracting(Member::confirmedIndex)
                    .containsOnly(OptionalLong.empty());
            assertThat(other.status().group()).isEqualTo(status.group());
            assertThat(other.status().role()).contains(Role.VOTER);
        }
    }

    @Test
    void a_member_that_is_disconnected_loses_the_majority_until_it_is_reconnected() {
        try (var members = new MembersInMemory()) {
            int cut = members.leader();
            String address = members.endpoints().get(cut).address();
            QuorumLeaseStore lonely = members.store(cut);
            QuorumLeaseStore other = members.store((cut + 1) % 3);

            lonely.disconnect();
            PATIENCE.await(
                    "the disconnected leader knows no leader",
                    () -> lonely.status().leader().isEmpty());
            PATIENCE.await(
                    "another member leads",
                    () -> other.status()
                            .leader()
                            .filter(each -> !each.equals(address))
                            .isPresent());
            PATIENCE.await(
                    "no member reaches the disconnected member",
                    () -> !other.status().member(address).orElseThrow().isReachable());
            PATIENCE.await(
                    "the disconnected member reaches no other member",
                    () -> lonely.status().members().stream()
                            .filter(Member::isReachable)
                            .map(Member::address)
                            .toList()
                            .equals(List.of(address)));

            lonely.reconnect();
            PATIENCE.await(
                    "the reconnected member knows the leader",
                    () -> lonely.status().leader().equals(other.status().leader()));
            PATIENCE.await(
                    "the other member reaches the reconnected member",
                    () -> other.status().member(address).orElseThrow().isReachable());
        }
    }

    @Test
    void a_client_returns_the_status_of_its_member_unless_it_is_disconnected() {
        try (var members = new MembersInMemory()) {
            QuorumStatus expected = members.store(members.leader()).status();
            Duration timeout = Duration.ofSeconds(2);
            var client = new QuorumLeaseStore(members.client("client:1", timeout), timeout, () -> {});

            PATIENCE.await("a member answers", () -> answers(client));
            QuorumStatus status = client.status();
            assertThat(status.group()).isEqualTo(expected.group());
            assertThat(status.members()).extracting(Member::address).contains(status.address());

            client.disconnect();
            assertThatThrownBy(client::status)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member of the quorum");
            client.reconnect();
            PATIENCE.await("a member answers again", () -> answers(client));
        }
    }

    private static boolean answers(QuorumLeaseStore client) {
        try {
            return client.status().role().isPresent();
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    void a_process_without_a_quorum_reports_the_reason() {
        var status = QuorumStatus.outside("a:7800", "it waits");

        assertThat(status.group()).isEmpty();
        assertThat(status.role()).isEmpty();
        assertThat(status.problem()).contains("it waits");
    }

    @Test
    void a_status_is_equal_after_encoding_and_decoding() {
        var status = new QuorumStatus(
                Optional.of("g"),
                "a:1",
                3,
                1L << 40,
                7,
                Optional.of("b:1"),
                List.of(
                        new Member("b:1", Role.LEARNER, true, false, OptionalLong.of(9)),
                        new Member("a:1", Role.VOTER, false, true, OptionalLong.empty())),
                Optional.of("why"));

        assertThat(StatusBytes.read(StatusBytes.of(status))).isEqualTo(status);
        assertThat(status.members()).extracting(Member::address).containsExactly("a:1", "b:1");
        byte[] torn = new byte[] {0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0};
        assertThatThrownBy(() -> StatusBytes.read(torn)).isInstanceOf(MalformedBytesException.class);
    }

    private static boolean hasAll(QuorumStatus status) {
        return status.commitIndex() > 0
                && status.appliedIndex() == status.commitIndex()
                && status.members().stream()
                        .allMatch(each ->
                                each.isReachable() && each.confirmedIndex().orElse(0) >= status.commitIndex());
    }
}
