package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the data and the identity of members after a restart. */
@Timeout(300)
class QuorumRestartTest {

    private static final String ELECTION = "nightly";

    @TempDir
    private Path folder;

    @Test
    void all_records_survive_a_restart_of_all_members() {
        try (var members = new MembersOnDisk(folder).startAll()) {
            LeaseVersion version = written(members.store(0), LeaseVersion.ABSENT, 7);
            for (int i = 0; i < 3; i++) {
                members.stop(i);
            }
            members.startAll();

            assertThat(members.store(1).read(ELECTION)).isEqualTo(VersionedLease.of(version, record(7)));
        }
    }

    @Test
    void the_other_members_continue_without_the_leader_of_the_log() {
        try (var members = new MembersOnDisk(folder).startAll()) {
            LeaseVersion first = written(members.store(0), LeaseVersion.ABSENT, 1);
            int leader = members.leader();
            members.stop(leader);
            LeaseVersion second = written(members.store((leader + 1) % 3), first, 2);
            members.start(leader);

            assertThat(members.store(leader).read(ELECTION)).isEqualTo(VersionedLease.of(second, record(2)));
        }
    }

    @Test
    void a_member_alone_confirms_nothing() {
        try (var members = new MembersOnDisk(folder).startAll()) {
            LeaseVersion first = written(members.store(2), LeaseVersion.ABSENT, 1);
            QuorumProcess alone = members.process(2);
            members.stop(0);
            members.stop(1);

            var store = new QuorumLeaseStore(alone, Duration.ofMillis(500), () -> {});
            assertThat(store.compareAndSet(ELECTION, first, record(2))).isInstanceOf(CasOutcome.Unknown.class);
        }
    }

    @Test
    void a_member_that_lost_its_directory_returns_as_a_new_member() throws Exception {
        try (var members = new MembersOnDisk(folder).startAll()) {
            LeaseVersion first = written(members.store(0), LeaseVersion.ABSENT, 1);
            int lost = members.leader();
            members.stop(lost);
            delete(members.directory(lost));
            LeaseVersion second = written(members.store((lost + 1) % 3), first, 2);
            members.start(lost);

            assertThat(members.store(lost).read(ELECTION)).isEqualTo(VersionedLease.of(second, record(2)));
            members.process(lost).joined().join();
            // After this stop, two of three members run. So the next write succeeds only if the member with the new
            // directory votes.
            members.stop((lost + 1) % 3);
            written(members.store(lost), second, 3);
        }
    }

    @Test
    void a_directory_in_use_is_rejected() {
        try (var members = new MembersOnDisk(folder).startAll()) {
            assertThatThrownBy(() -> OpenMember.open(members.settings(1), WireSystem.DEFAULT))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(members.directory(1).getFileName().toString());
        }
    }

    private static LeaseVersion written(QuorumLeaseStore store, LeaseVersion expected, long term) {
        CasOutcome outcome = store.compareAndSet(ELECTION, expected, record(term));
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
        return ((CasOutcome.Written) outcome).version();
    }

    private static LeaseRecord record(long term) {
        return LeaseRecords.record(ELECTION, "holder", term, SavedState.EMPTY);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
