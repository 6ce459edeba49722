package dev.doyen.hub.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.Announcement;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.ElectorResponse;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests that the registry ends vacant elections and deletes their records, and that a claim opens them again. */
class VacantElectionsTest {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final ClaimSettings SETTINGS = new ClaimSettings(TTL, Duration.ofHours(2), List.of("main"));
    private static final Duration VACANT = Duration.ofSeconds(ClaimRegistry.VACANT_SECONDS);
    private static final Duration CHECK = Duration.ofSeconds(10);
    private static final Duration PRUNE = Duration.ofMinutes(10);
    private static final Claimant ANN = new Claimant("room", "ann", "c1");
    private static final Claimant BOB = new Claimant("room", "bob", "c2");

    private final ManualThreads threads = new ManualThreads();
    private final PrunedStore store = new PrunedStore();
    private final List<String> results = new ArrayList<>();
    private final ClaimRegistry claims = registry(threads);
    private Consumer<ElectionView> changes = view -> {};

    @Test
    void an_election_ends_after_a_minute_without_a_claim() {
        claims.claim(ANN);
        threads.pass(VACANT.plus(CHECK));
        assertThat(listed()).as("an election with a holder stays").containsExactly("main", "room");
        claims.release(ANN);
        threads.pass(VACANT.minusMillis(1));
        assertThat(listed())
                .as("an election stays for a minute after its last claim")
                .containsExactly("main", "room");
        threads.pass(CHECK);
        assertThat(listed()).as("a watched election stays").containsExactly("main");
        assertThat(claims.find("room")).isEmpty();
        assertThat(claims.paused("room")).isEmpty();
    }

    @Test
    void an_election_that_has_ended_does_not_read_the_store() {
        holdAndRelease(ANN);
        threads.pass(VACANT.plus(CHECK));
        int reads = store.readsOf("room");
        threads.pass(Duration.ofMinutes(5));
        assertThat(store.readsOf("room")).isEqualTo(reads);
    }

    @Test
    void a_claim_within_the_minute_keeps_the_election() {
        holdAndRelease(ANN);
        threads.pass(VACANT.minus(CHECK.multipliedBy(2)));
        holdAndRelease(BOB);
        threads.pass(VACANT.minusMillis(1));
        assertThat(claims.find("room")).isPresent();
    }

    @Test
    void a_claim_opens_an_election_that_has_ended() { // C3
        holdAndRelease(ANN);
        threads.pass(VACANT.plus(CHECK));
        claims.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2");
        assertThat(claims.find("room").flatMap(ElectionView::leader)).contains(new Leader("bob", 2));
    }

    @Test
    void the_elector_API_does_not_know_an_election_that_has_ended() {
        var elector = new Elector(claims.elections(), ElectorSettings.of("main", "s"));
        List<Announcement> announced = new ArrayList<>();
        changes = view -> elector.changed(view).ifPresent(announced::add);
        holdAndRelease(ANN);
        threads.settle();
        assertThat(status(elector, "/v1/elections/room")).isEqualTo(200);
        threads.pass(VACANT.plus(CHECK));
        assertThat(status(elector, "/v1/elections/room")).isEqualTo(404);
        assertThat(status(elector, "/v1/elections/main")).isEqualTo(200);
        int before = announced.size();
        claims.claim(BOB);
        threads.settle();
        assertThat(announced)
                .as("an open event stream receives the next leader")
                .hasSize(before + 1);
        assertThat(status(elector, "/v1/elections/room/am-i-leader?id=bob")).isEqualTo(200);
    }

    @Test
    void a_claim_on_an_election_that_has_ended_waits_for_the_lease_of_another_process() { // L3
        holdAndRelease(ANN);
        threads.pass(VACANT.plus(CHECK));
        writeHeldBy("eve");

        claims.claim(ANN);
        threads.settle();
        assertThat(results).last().isEqualTo("refused ann eve/7");
        assertThat(claims.find("room").flatMap(ElectionView::leader)).contains(new Leader("eve", 7));
        threads.pass(TTL.minusMillis(1));
        claims.claim(ANN);
        threads.settle();
        assertThat(results).last().isEqualTo("refused ann eve/7");
        threads.pass(Duration.ofMillis(1));
        claims.claim(ANN);
        threads.settle();
        assertThat(results).last().isEqualTo("granted ann 8");
    }

    @Test
    void an_election_that_another_process_leads_stays() {
        writeHeldBy("eve");
        claims.claim(ANN);
        threads.pass(Duration.ofSeconds(1));
        assertThat(results).containsExactly("refused ann eve/7");
        for (int i = 0; i < 40; i++) {
            writeHeldBy("eve");
            threads.pass(Duration.ofSeconds(2));
        }
        assertThat(claims.find("room").flatMap(ElectionView::leader)).contains(new Leader("eve", 7));
        threads.pass(TTL.plus(VACANT).plus(CHECK));
        assertThat(claims.find("room"))
                .as("the election ends after its lease has expired")
                .isEmpty();
    }

    @Test
    void an_election_whose_former_holder_has_not_stopped_stays() { // C19
        claims.claim(ANN);
        threads.settle();
        claims.execute("room", "operator", control -> control.resign("a backup"));
        threads.pass(VACANT.plus(CHECK));
        assertThat(results).last().isEqualTo("lost ann 1 RESIGNED");
        assertThat(claims.find("room")).isPresent();
        claims.release(ANN);
        threads.pass(VACANT.plus(CHECK));
        assertThat(claims.find("room")).isEmpty();
    }

    @Test
    void a_paused_election_stays_until_a_minute_after_the_pause() { // C16
        holdAndRelease(ANN);
        claims.execute("room", "operator", control -> {
            control.pause("a backup");
            return "";
        });
        threads.pass(VACANT.plus(CHECK));
        assertThat(claims.paused("room")).contains("the election was paused by operator (a backup)");
        claims.execute("room", "operator", control -> control.resume());
        threads.pass(VACANT.minusMillis(1));
        assertThat(claims.find("room")).isPresent();
        threads.pass(CHECK);
        assertThat(claims.find("room")).isEmpty();
    }

    @Test
    void a_claim_on_an_election_that_was_paused_after_its_end_is_rejected_with_the_reason() { // C16
        claims.execute("room", "operator", control -> {
            control.pause("a backup");
            return "";
        });
        claims.claim(ANN);
        threads.settle();
        assertThat(results).containsExactly("paused ann the election was paused by operator (a backup)");
        claims.release(ANN);
        claims.execute("room", "operator", control -> control.resume());
        threads.pass(TTL);
        claims.claim(BOB);
        threads.settle();
        assertThat(results).last().asString().startsWith("granted bob");
    }

    @Test
    void at_the_limit_the_longest_vacant_election_ends_but_no_watched_one() {
        for (int i = 1; i < ClaimRegistry.MAX_ELECTIONS; i++) {
            claims.claim(new Claimant("room " + i, "ann", "c1"));
        }
        threads.settle();
        claims.claim(BOB);
        threads.settle();
        assertThat(results)
                .as("no election can end, because all are held or watched")
                .last()
                .isEqualTo("refused bob ?");
        claims.release(new Claimant("room 7", "ann", "c1"));
        threads.pass(Duration.ofMillis(1));
        claims.release(new Claimant("room 5", "ann", "c1"));
        threads.pass(Duration.ofMillis(1));
        claims.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 1");
        assertThat(claims.find("room 7")).isEmpty();
        assertThat(claims.find("room 5")).isPresent();
        assertThat(claims.find("main")).isPresent();
    }

    @Test
    void a_record_is_deleted_ten_minutes_after_its_last_write_and_its_term_is_not_used_again() {
        holdAndRelease(ANN);
        threads.pass(PRUNE);
        assertThat(store.read("room").record())
                .as("the record is not older than ten minutes")
                .isPresent();
        threads.pass(PRUNE);
        assertThat(store.read("room")).isEqualTo(VersionedLease.absentAfter(1));
        claims.claim(BOB);
        threads.settle();
        assertThat(results).last().isEqualTo("granted bob 2");
    }

    @Test
    void a_record_with_saved_state_is_deleted_after_the_age_of_the_settings() { // C17
        claims.claim(ANN);
        threads.settle();
        claims.save(ANN, 1, 1, SavedState.ofText("state"));
        claims.release(ANN);
        threads.pass(SETTINGS.savedStateAge());
        assertThat(claims.left("room").text()).isEqualTo("state");
        threads.pass(PRUNE);
        assertThat(store.read("room")).isEqualTo(VersionedLease.absentAfter(1));
    }

    @Test
    void a_failed_deletion_is_repeated_after_ten_minutes() {
        holdAndRelease(ANN);
        store.away = true;
        threads.pass(PRUNE.multipliedBy(2));
        assertThat(store.read("room").record()).isPresent();
        store.away = false;
        threads.pass(PRUNE);
        assertThat(store.read("room").record()).isEmpty();
    }

    private ClaimRegistry registry(ManualThreads on) {
        var made = new ClaimRegistry(store, SETTINGS, () -> 1, on);
        made.start(new RecordedOutcomes(results), view -> changes.accept(view));
        return made;
    }

    private void holdAndRelease(Claimant claimant) {
        claims.claim(claimant);
        threads.settle();
        assertThat(results).last().asString().startsWith("granted " + claimant.clientId());
        claims.release(claimant);
    }

    private static int status(Elector elector, String path) {
        return ((ElectorResponse) elector.answer(ElectorRequest.of("GET", path, Map.of()), Instant.EPOCH)).status();
    }

    private List<String> listed() {
        return claims.list().stream().map(ElectionView::name).toList();
    }

    /** Writes the record of another process that leads in term 7. */
    private void writeHeldBy(String holder) {
        Instant now = Instant.ofEpochMilli(threads.now().wallMillis());
        var record = new LeaseRecord(
                "room", holder, "other", 7, "n" + threads.now().nanos(), TTL, now, now, SavedState.EMPTY, 0);
        assertThat(store.compareAndSet("room", store.read("room").version(), record))
                .isInstanceOf(CasOutcome.Written.class);
    }

    /** A store in memory whose deletions can fail. */
    private static final class PrunedStore extends ForwardingLeaseStore {
        boolean away;
        private final List<String> reads = new ArrayList<>();

        PrunedStore() {
            super(new MemoryLeaseStore());
        }

        int readsOf(String election) {
            return (int) reads.stream().filter(election::equals).count();
        }

        @Override
        public VersionedLease read(String election) {
            reads.add(election);
            return behind().read(election);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return behind().compareAndSet(election, expected, next);
        }

        @Override
        public int prune(Instant before, Instant savedBefore) {
            if (away) {
                throw new StoreUnavailableException("fails on purpose");
            }
            return super.prune(before, savedBefore);
        }
    }
}
