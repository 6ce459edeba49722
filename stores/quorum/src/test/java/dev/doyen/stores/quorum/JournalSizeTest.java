package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.HandOverState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseWrite;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A journal does not grow without end. */
class JournalSizeTest {

    private static final long MAX_BYTES = 10_000_000;

    /** So many writes are on their way at a time. */
    private static final int AT_A_TIME = 20;

    @Test
    void it_stays_below_10_mb_over_20_000_renewals() {
        assertThat(greatestLength(20_000, HandOverState.EMPTY)).isBetween(100_000L, MAX_BYTES);
    }

    @Test
    void it_stays_below_10_mb_over_200_renewals_with_the_largest_state() {
        var state = new byte[HandOverState.MAX_BYTES];
        new Random(1).nextBytes(state);

        assertThat(greatestLength(200, HandOverState.of(state))).isBetween(1_000_000L, MAX_BYTES);
    }

    /** The documented limit: all records together have about 1.2 MB. */
    @Test
    void it_stays_below_10_mb_with_1_000_elections_of_which_15_have_the_largest_state() {
        var state = new byte[HandOverState.MAX_BYTES];
        new Random(1).nextBytes(state);
        try (var members = new MembersInMemory()) {
            for (int i = 0; i < 3; i++) {
                members.store(i);
            }
            QuorumProcess process = members.process(0);
            for (int round = 0; round < 8; round++) {
                for (int election = 0; election < 1_000; election += AT_A_TIME) {
                    List<CompletableFuture<?>> answers = new ArrayList<>();
                    for (int i = election; i < election + AT_A_TIME; i++) {
                        String name = "election-" + i;
                        LeaseRecord record = LeaseRecords.record(
                                name, "holder", 1 + round, i < 15 ? HandOverState.of(state) : HandOverState.EMPTY);
                        answers.add(process.write(
                                List.of(new LeaseWrite(
                                        process.read(name, MembersInMemory.TIMEOUT)
                                                .version(),
                                        record)),
                                MembersInMemory.TIMEOUT));
                    }
                    answers.forEach(CompletableFuture::join);
                }
            }
            for (int i = 0; i < 3; i++) {
                assertThat(members.file(i).greatestLength()).isBetween(3_000_000L, MAX_BYTES);
            }
        }
    }

    /** Each write is an entry of the log, whether its version is the present one or not. */
    private static long greatestLength(int renewals, HandOverState state) {
        try (var members = new MembersInMemory()) {
            for (int i = 0; i < 3; i++) {
                members.store(i);
            }
            QuorumProcess process = members.process(0);
            LeaseRecord record = LeaseRecords.record("election", "holder", 1, state);
            VersionedLease before = VersionedLease.ABSENT;
            for (int sent = 0; sent < renewals; sent += AT_A_TIME) {
                List<CompletableFuture<?>> answers = new ArrayList<>();
                for (int i = 0; i < AT_A_TIME; i++) {
                    answers.add(
                            process.write(List.of(new LeaseWrite(before.version(), record)), MembersInMemory.TIMEOUT));
                }
                answers.forEach(CompletableFuture::join);
                before = process.read("election", MembersInMemory.TIMEOUT);
            }
            return Math.max(
                    members.file(0).greatestLength(),
                    Math.max(members.file(1).greatestLength(), members.file(2).greatestLength()));
        }
    }
}
