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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the addition, removal and replacement of members with real directories over TCP. */
@Timeout(300)
class QuorumAdminTest {

    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(60));
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final List<String> progress = new ArrayList<>();

    @Test
    void a_removed_process_returns_only_with_a_new_directory() throws Exception {
        try (var members = new MembersOnDisk(folder, 1).startAll();
                QuorumAdmin admin = members.admin(LIMIT)) {
            LeaseVersion first = written(members.store(0), LeaseVersion.ABSENT, 1);
            members.start(3);
            PATIENCE.await(
                    "the process reports what it waits for",
                    () -> problem(members, 3).contains("doyen quorum add " + members.address(3)));

            assertThat(admin.add(members.address(3), progress::add))
                    .startsWith(members.address(3) + " is a voter. The quorum has 4 voters");
            assertThat(progress)
                    .anyMatch(each -> each.contains("becomes a learner"))
                    .anyMatch(each -> each.contains("becomes a voter"));
            assertThat(voters(admin.members())).hasSize(4).contains(members.address(3));
            assertThat(admin.add(members.address(3), progress::add)).startsWith(members.address(3) + " is a voter");
            LeaseVersion second = written(members.store(3), first, 2);

            assertThat(admin.remove(members.address(3), progress::add))
                    .isEqualTo(members.address(3) + " is not a member");
            PATIENCE.await(
                    "the process reports that it was removed",
                    () -> problem(members, 3).contains("was removed from the quorum"));
            assertThatThrownBy(() -> members.process(3).read("nightly", Duration.ofSeconds(1)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("with a new directory");
            assertThatThrownBy(() -> admin.add(members.address(3), progress::add))
                    .isInstanceOf(MemberChangeRefusedException.class)
                    .hasMessageContaining("was a member before; start it with a new directory");

            members.replaceDirectory(3);
            members.start(3);
            admin.add(members.address(3), progress::add);
            written(members.store(3), second, 3);
        }
    }

    @Test
    void a_command_waits_for_a_process_that_starts_later() throws Exception {
        try (var members = new MembersOnDisk(folder, 1).startAll();
                QuorumAdmin admin = members.admin(LIMIT)) {
            admin.add(members.address(3), text -> {
                if (text.contains("no process answers at " + members.address(3))) {
                    members.start(3);
                }
                progress.add(text);
            });
            assertThat(voters(admin.members())).hasSize(4);
            assertThat(progress.get(0)).contains("no process answers");
        }
    }

    @Test
    void a_dead_member_is_replaced_and_finds_that_it_was_removed() throws Exception {
        try (var members = new MembersOnDisk(folder, 1).startAll();
                QuorumAdmin admin = members.admin(LIMIT)) {
            LeaseVersion first = written(members.store(0), LeaseVersion.ABSENT, 1);
            int dead = members.leader();
            int alive = (dead + 1) % 3;
            members.stop(dead);
            members.start(3);
            admin.replace(members.address(dead), members.address(3), progress::add);

            assertThat(voters(admin.members()))
                    .hasSize(3)
                    .doesNotContain(members.address(dead))
                    .contains(members.address(3));
            members.start(dead);
            PATIENCE.await(
                    "the returned member reports that it was removed",
                    () -> problem(members, dead).contains("was removed"));
            members.stop(alive);
            // The write succeeds only if the new member votes, because only two of three members run.
            written(members.store(3), first, 2);
        }
    }

    @Test
    void the_leader_of_the_log_is_removed_after_it_has_handed_over() throws Exception {
        try (var members = new MembersOnDisk(folder).startAll();
                QuorumAdmin admin = members.admin(LIMIT)) {
            LeaseVersion first = written(members.store(0), LeaseVersion.ABSENT, 1);
            int leader = members.leader();
            admin.remove(members.address(leader), progress::add);

            assertThat(progress).anyMatch(each -> each.contains("takes over as leader of the log"));
            QuorumStatus status = admin.members();
            assertThat(voters(status)).hasSize(2);
            written(members.store((leader + 1) % 3), first, 2);
            assertThatThrownBy(() -> admin.remove(status.address(), progress::add))
                    .isInstanceOf(MemberChangeRefusedException.class)
                    .hasMessageContaining("on one disk only");
        }
    }

    @Test
    void a_learner_gets_all_records_and_does_not_count_for_the_majority() throws Exception {
        try (var members = new MembersOnDisk(folder, 1).startAll();
                QuorumAdmin admin = members.admin(LIMIT)) {
            members.start(3);
            admin.addLearner(members.address(3), progress::add);
            assertThat(admin.members().member(members.address(3)).orElseThrow().role())
                    .isEqualTo(Role.LEARNER);
            written(members.store(3), LeaseVersion.ABSENT, 1);

            members.stop(0);
            members.stop(1);
            var store = new QuorumLeaseStore(members.process(3), Duration.ofMillis(500), () -> {});
            assertThat(store.compareAndSet(
                            "other", LeaseVersion.ABSENT, LeaseRecords.record("other", "h", 1, SavedState.EMPTY)))
                    .isInstanceOf(CasOutcome.Unknown.class);
            PATIENCE.await(
                    "the learner knows no leader",
                    () -> members.process(3).status().leader().isEmpty());
        }
    }

    @Test
    void without_a_majority_a_command_fails_in_time_with_the_answering_members() throws Exception {
        try (var members = new MembersOnDisk(folder).startAll();
                QuorumAdmin admin = members.admin(Duration.ofSeconds(1))) {
            members.store(0);
            members.stop(0);
            members.stop(1);
            PATIENCE.await(
                    "no member leads",
                    () -> members.process(2).status().leader().isEmpty());

            assertThatThrownBy(() -> admin.remove(members.address(0), progress::add))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("not finished within")
                    .hasMessageContaining("it has no majority")
                    .hasMessageContaining(members.address(2) + " answers");
        }
    }

    @Test
    void concurrent_and_interrupted_commands_end_in_one_result() throws Exception {
        try (var members = new MembersOnDisk(folder, 1).startAll();
                QuorumAdmin admin = members.admin(LIMIT)) {
            members.start(3);
            assertThatThrownBy(() -> admin.add(members.address(3), text -> {
                        if (text.contains("becomes a learner")) {
                            throw new IllegalStateException("stops on purpose");
                        }
                    }))
                    .hasMessage("stops on purpose");

            CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> {
                try (QuorumAdmin second = members.admin(LIMIT)) {
                    return second.add(members.address(3), text -> {});
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            String own = admin.add(members.address(3), progress::add);
            assertThat(own).isEqualTo(other.join());
            assertThat(voters(admin.members())).hasSize(4);
        }
    }

    @Test
    void one_address_is_sufficient_to_find_the_leader() throws Exception {
        try (var members = new MembersOnDisk(folder).withoutSecret().startAll()) {
            int leader = members.leader();
            String other = members.address((leader + 1) % 3);
            try (QuorumAdmin admin = QuorumAdmin.connect("quorum://" + other + "/dir?members=3", LIMIT)) {
                assertThat(admin.members().members()).hasSize(3);
            }
        }
    }

    @Test
    void addresses_are_parsed_in_all_usual_forms() {
        assertThat(QuorumAdmin.address("d")).isEqualTo("d:7800");
        assertThat(QuorumAdmin.address("10.0.0.1:7900")).isEqualTo("10.0.0.1:7900");
        assertThatThrownBy(() -> QuorumAdmin.address("a,b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not one address");
    }

    private static String problem(MembersOnDisk members, int number) {
        return members.process(number).status().problem().orElse("");
    }

    private static List<String> voters(QuorumStatus status) {
        return status.members().stream()
                .filter(each -> each.role() == Role.VOTER)
                .map(Member::address)
                .toList();
    }

    private static LeaseVersion written(QuorumLeaseStore store, LeaseVersion expected, long term) {
        CasOutcome outcome = store.compareAndSet(
                "nightly", expected, LeaseRecords.record("nightly", "holder", term, SavedState.EMPTY));
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }
}
