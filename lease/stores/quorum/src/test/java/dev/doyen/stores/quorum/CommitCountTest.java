package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.LeaseCandidate;
import dev.doyen.jvms.Patience;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import io.microraft.model.log.LogEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how many log entries an election costs. */
@Timeout(600)
class CommitCountTest {

    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(2));
    private static final int ELECTIONS = 1_000;

    /** A ttl that is long enough to exclude renewals during a handover. */
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void a_renewal_of_a_thousand_elections_under_one_session_is_one_entry_with_one_write() {
        try (var members = new MembersInMemory()) {
            QuorumLeaseStore store = members.store(0);
            try (Elections elections = Elections.lease()
                    .store(store)
                    .ttl(Duration.ofSeconds(5))
                    .process("one")
                    .open()) {
                List<LeaseCandidate> candidates = new ArrayList<>();
                for (int i = 0; i < ELECTIONS; i++) {
                    candidates.add(elections.named("election " + i).join("one"));
                }
                PATIENCE.await("all are led", () -> candidates.stream().allMatch(LeaseCandidate::isLeader));
                members.store(0);
                long begin = store.status().appliedIndex();
                String session = session(members);
                LeaseVersion[] version = {store.read(session).version()};
                for (int renewal = 0; renewal < 3; renewal++) {
                    PATIENCE.await(
                            "a renewal", () -> !store.read(session).version().equals(version[0]));
                    version[0] = store.read(session).version();
                }
                long end = store.status().appliedIndex();

                List<List<String>> written = entries(members, begin + 1, end);
                assertThat(written)
                        .hasSizeGreaterThanOrEqualTo(3)
                        .allSatisfy(each -> assertThat(each).containsExactly(session));
                assertThat(candidates).allMatch(LeaseCandidate::isLeader);
            }
        }
    }

    @Test
    void a_hand_over_of_a_lease_of_its_own_is_two_entries() {
        try (var members = new MembersInMemory();
                Election here = Election.lease("nightly")
                        .store(members.store(0))
                        .ttl(LONG)
                        .open();
                Election there = Election.lease("nightly")
                        .store(members.store(1))
                        .ttl(LONG)
                        .open()) {
            LeaseCandidate first = here.join("first");
            PATIENCE.await("the first one leads", first::isLeader);
            LeaseCandidate second = there.join("second");
            assertThat(handOver(members, first, second, "nightly")).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void a_hand_over_under_sessions_is_two_entries() {
        try (var members = new MembersInMemory();
                Elections here = Elections.lease()
                        .store(members.store(0))
                        .ttl(LONG)
                        .process("here")
                        .open();
                Elections there = Elections.lease()
                        .store(members.store(1))
                        .ttl(LONG)
                        .process("there")
                        .open()) {
            LeaseCandidate first = here.named("nightly").join("first");
            PATIENCE.await("the first one leads", first::isLeader);
            LeaseCandidate warm = there.named("other").join("second");
            PATIENCE.await("the second process has its session", warm::isLeader);
            LeaseCandidate second = there.named("nightly").join("second");
            assertThat(handOver(members, first, second, "nightly")).isLessThanOrEqualTo(2);
        }
    }

    /**
     * Returns the number of entries that a handover of this election writes. One candidate resigns and the other is
     * elected.
     */
    private static long handOver(
            MembersInMemory members, LeaseCandidate first, LeaseCandidate second, String election) {
        QuorumLeaseStore store = members.store(0);
        long begin = store.status().appliedIndex();
        first.resign().join();
        PATIENCE.await("the other leads", second::isLeader);
        members.store(0);
        return entries(members, begin + 1, store.status().appliedIndex()).stream()
                .filter(each -> each.contains(election))
                .count();
    }

    /** Returns the elections that each entry writes. Omits entries without writes, which only catch up. */
    private static List<List<String>> entries(MembersInMemory members, long from, long to) {
        List<List<String>> written = new ArrayList<>();
        for (LogEntry entry : new RaftJournal(MemoryFile.of(members.records(0)))
                .restored()
                .orElseThrow()
                .getLogEntries()) {
            if (entry.getIndex() >= from && entry.getIndex() <= to && entry.getOperation() instanceof byte[] bytes) {
                List<String> elections = LeaseBytes.writes(bytes).stream()
                        .map(LeaseWrite::next)
                        .map(each -> each.election())
                        .toList();
                if (!elections.isEmpty()) {
                    written.add(elections);
                }
            }
        }
        return written;
    }

    private static String session(MembersInMemory members) {
        for (int i = 0; i < 100; i++) {
            String name = "~session/" + i;
            if (members.process(0)
                    .read(name, MembersInMemory.TIMEOUT)
                    .record()
                    .filter(each -> each.isHeld())
                    .isPresent()) {
                return name;
            }
        }
        throw new AssertionError("no session record is held");
    }
}
