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

/** Tests what members still have after a restart, and under which identity they return. */
@Timeout(300)
class QuorumRestartTest {

    private static final String ELECTION = "nightly";

    @TempDir
    private Path folder;

    @Test
    void members_that_all_end_know_their_records_when_they_start_again() {
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
    void without_the_leader_of_the_log_the_others_go_on_and_it_follows_when_it_is_back() {
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
    void a_member_whose_directory_was_lost_comes_back_as_a_new_one() throws Exception {
        try (var members = new MembersOnDisk(folder).startAll()) {
            LeaseVersion first = written(members.store(0), LeaseVersion.ABSENT, 1);
            int lost = members.leader();
            members.stop(lost);
            delete(members.directory(lost));
            LeaseVersion second = written(members.store((lost + 1) % 3), first, 2);
            members.start(lost);

            assertThat(members.store(lost).read(ELECTION)).isEqualTo(VersionedLease.of(second, record(2)));
            members.process(lost).joined().join();
            // The returned member votes: it and one of the other two are a majority.
            members.stop((lost + 1) % 3);
            written(members.store(lost), second, 3);
        }
    }

    @Test
    void a_directory_that_is_in_use_is_refused() {
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
