package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import org.junit.jupiter.api.Test;

/** Tests that a client's copies of lease records are correct in whatever order answers and changes arrive. */
class WatchedLeasesTest {

    private static final String ELECTION = "nightly";

    private final WatchedLeases watched = new WatchedLeases();

    @Test
    void a_change_that_arrives_before_the_answer_is_not_lost() {
        watched.add(ELECTION);
        assertThat(watched.change(ELECTION, lease(2))).isFalse();
        assertThat(watched.copy(ELECTION)).as("no member sends changes yet").isEmpty();

        watched.begin(ELECTION, lease(1));
        assertThat(watched.copy(ELECTION)).contains(lease(2));
    }

    @Test
    void a_copy_never_goes_back_and_ends_with_the_connection() {
        watched.add(ELECTION);
        watched.begin(ELECTION, lease(2));
        assertThat(watched.change(ELECTION, lease(1))).isFalse();
        assertThat(watched.change(ELECTION, lease(3))).isTrue();
        assertThat(watched.copy(ELECTION)).contains(lease(3));

        watched.forgetCopies();
        assertThat(watched.copy(ELECTION)).isEmpty();
        watched.begin(ELECTION, lease(1));
        assertThat(watched.copy(ELECTION))
                .as("a new quorum starts with lower versions")
                .contains(lease(1));
    }

    private static VersionedLease lease(long index) {
        return VersionedLease.of(
                new LeaseVersion(index + ".0"), LeaseRecords.record(ELECTION, "h", index, SavedState.EMPTY));
    }
}
