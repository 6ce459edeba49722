package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.RunningServer;
import dev.doyen.testkit.ServerFaultContract;
import dev.doyen.testkit.ServerProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests clients while members are killed, frozen or partitioned. Each member is a process. */
class QuorumFaultsTest extends ServerFaultContract {

    private static final String ELECTION = "nightly";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Override
    protected RunningServer startServer() throws Exception {
        MemberProcesses members = MemberProcesses.start(data);
        try (LeaseStore store = open(members.port())) {
            // Wait until the quorum is founded and confirms a write.
            write(store, 1);
        }
        return members;
    }

    /** Opens a client that is configured with the address of only one member. */
    @Override
    protected LeaseStore open(int port) {
        return QuorumLeaseStore.open(
                QuorumClientSettings.of(List.of("127.0.0.1:" + port)).withTimeout(TIMEOUT));
    }

    /** Each member is killed and frozen in turn, so these faults also affect the leader of the log. */
    @Test
    void writes_continue_while_one_member_is_killed_or_frozen() throws Exception {
        try (MemberProcesses members = MemberProcesses.start(data);
                LeaseStore store = QuorumLeaseStore.open(
                        QuorumClientSettings.of(members.addresses()).withTimeout(TIMEOUT))) {
            long term = 1;
            for (ServerProcess each : members.members()) {
                write(store, term++);
                each.kill();
                write(store, term++);
                each.restart();
                write(store, term++);
                each.freeze();
                write(store, term++);
                each.thaw();
            }
            assertThat(store.read(ELECTION).record().orElseThrow().term()).isEqualTo(term - 1);
        }
    }

    @Test
    void without_a_majority_no_write_is_confirmed_and_with_one_they_are_again() throws Exception {
        try (MemberProcesses members = MemberProcesses.start(data);
                LeaseStore store = QuorumLeaseStore.open(
                        QuorumClientSettings.of(members.addresses()).withTimeout(TIMEOUT))) {
            LeaseVersion before = write(store, 1);
            members.members().get(0).freeze();
            members.members().get(1).freeze();
            assertThat(store.compareAndSet(ELECTION, before, LeaseRecords.record(ELECTION, "n", 2, SavedState.EMPTY)))
                    .isInstanceOf(CasOutcome.Unknown.class);
            members.members().get(0).thaw();
            members.members().get(1).thaw();
            before = write(store, 3);
            members.members().get(1).kill();
            members.members().get(2).kill();
            assertThat(store.compareAndSet(ELECTION, before, LeaseRecords.record(ELECTION, "n", 4, SavedState.EMPTY)))
                    .isInstanceOf(CasOutcome.Unknown.class);
            members.members().get(1).restart();
            members.members().get(2).restart();
            write(store, 5);
        }
    }

    /** Repeats a write until it is confirmed. */
    private static LeaseVersion write(LeaseStore store, long term) {
        long start = System.nanoTime();
        while (true) {
            CasOutcome outcome = new CasOutcome.Unknown("the record could not be read");
            try {
                outcome = store.compareAndSet(
                        ELECTION,
                        store.read(ELECTION).version(),
                        LeaseRecords.record(ELECTION, "n", term, SavedState.EMPTY));
            } catch (StoreUnavailableException e) {
                // The read needs a majority, so it can fail like a write.
            }
            if (outcome instanceof CasOutcome.Written written) {
                return written.version();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("the time until term " + term + " is confirmed; the last outcome is " + outcome)
                    .isLessThan(PATIENCE);
        }
    }
}
