package dev.doyen.ranking;

import static dev.doyen.ranking.Race.Algorithm.PUBLISHED;
import static dev.doyen.ranking.Race.Algorithm.SHIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.ranking.Race.Algorithm;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The thirteen races of docs/spec/ranking.md. Each is played twice, the same script and the same hub: the algorithm as it was
 * published loses it, and the shipped one does not.
 */
class RacesTest {

    @Test
    void race_01_a_lower_id_enters_while_a_claim_is_under_way() {
        Race lost = lateLowerId(PUBLISHED);
        assertThat(lost.workers()).isEqualTo(2);
        assertThat(lost.claimsInSet()).isEqualTo(2);
        assertOneLeader(lateLowerId(SHIPPED));
    }

    private static Race lateLowerId(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage first = race.page("ann", "5");
        ModelPage late = race.page("ben", "3");
        race.at(0, first::connect);
        // Its claim, whenever it comes, is long under way.
        race.at(16, () -> first.up = () -> 400);
        race.at(100, late::connect);
        return race.until(20_000);
    }

    @Test
    void race_02_two_enter_at_once() {
        assertThat(simultaneousEntry(PUBLISHED).workers()).isEqualTo(2);
        Race won = simultaneousEntry(SHIPPED);
        assertOneLeader(won);
        assertThat(won.mostWorkers()).isEqualTo(1);
    }

    private static Race simultaneousEntry(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage one = race.page("ann", "5");
        ModelPage other = race.page("ben", "3");
        one.up = () -> 50;
        other.up = () -> 55;
        race.at(0, one::connect);
        race.at(0, other::connect);
        return race.until(20_000);
    }

    @Test
    void race_03_a_comparison_that_is_no_order() {
        assertThat(noOrder(PUBLISHED).workers()).isEqualTo(2);
        Race won = noOrder(SHIPPED);
        assertOneLeader(won);
        assertThat(won.mostWorkers()).isEqualTo(1);
    }

    /** Ids that are no numbers: who saw the others come has them in another order than who saw a sync. */
    private static Race noOrder(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage leader = race.page("leo", "x0");
        ModelPage one = race.page("ann", "x7");
        ModelPage other = race.page("ben", "b2");
        race.at(0, leader::connect);
        race.at(5000, one::connect);
        race.at(6000, other::connect);
        race.at(8000, () -> other.cut(300, false, 0, 0));
        race.at(10_000, leader::kill);
        return race.until(60_000);
    }

    @Test
    void race_04_two_elections_in_one_client() {
        assertThat(reentrancy(PUBLISHED).pages.get("ann 1").workers).isEqualTo(2);
        Race won = reentrancy(SHIPPED);
        assertThat(won.pages.get("ann 1").workers).isEqualTo(1);
        assertOneLeader(won);
    }

    private static Race reentrancy(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage one = race.page("ann", "1");
        ModelPage other = race.page("ben", "2");
        race.at(0, one::connect);
        // Both entries reach it before its first claim is acknowledged.
        race.at(16, () -> one.up = () -> 100);
        race.at(30, other::connect);
        return race.until(20_000);
    }

    @Test
    void race_05_one_client_id_twice() {
        assertThat(sameClientId(PUBLISHED).workers()).isEqualTo(2);
        Race won = sameClientId(SHIPPED);
        assertOneLeader(won);
        assertThat(won.mostWorkers()).isEqualTo(1);
    }

    private static Race sameClientId(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage leader = race.page("leo", "1");
        ModelPage tab = race.page("ann", "2");
        ModelPage duplicate = race.page("ann", "3");
        race.at(0, leader::connect);
        race.at(3000, tab::connect);
        race.at(3100, duplicate::connect);
        race.at(5000, leader::kill);
        return race.until(40_000);
    }

    @Test
    void race_06_a_crashed_leader_stays_in_the_set() {
        assertThat(crash(PUBLISHED).workers()).isZero();
        Race won = crash(SHIPPED);
        assertOneLeader(won);
        assertThat(won.idleMillis()).as("first election, and after the crash").isLessThan(7000);
    }

    private static Race crash(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsClaims(algorithm);
        ModelPage leader = race.page("ann", "1");
        ModelPage other = race.page("ben", "2");
        race.at(0, leader::connect);
        race.at(3000, other::connect);
        race.at(10_000, leader::kill);
        return race.until(18_000);
    }

    @Test
    void race_07_a_partitioned_leader_works_on() {
        Race lost = partition(PUBLISHED);
        assertThat(lost.workers()).isEqualTo(2);
        Race won = partition(SHIPPED);
        assertThat(won.pages.get("ben 2").working()).isTrue();
        assertThat(won.mostWorkers()).isEqualTo(1);
        assertOneLeader(partition(SHIPPED).until(90_000));
    }

    private static Race partition(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage leader = race.page("ann", "1");
        ModelPage other = race.page("ben", "2");
        race.at(0, leader::connect);
        race.at(3000, other::connect);
        race.at(10_000, () -> leader.cut(60_000, false, 1000, 2000));
        return race.until(40_000);
    }

    @Test
    void race_08_an_sdk_enters_old_data_again() {
        Race lost = oldDataAgain(PUBLISHED);
        assertThat(lost.claimsInSet()).isEqualTo(2);
        assertThat(lost.workers()).isEqualTo(2);
        Race won = oldDataAgain(SHIPPED);
        assertOneLeader(won);
        assertThat(won.claimsInSet()).isEqualTo(1);
        assertThat(won.mostWorkers()).isEqualTo(1);
    }

    private static Race oldDataAgain(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage leader = race.page("ann", "1", "7");
        ModelPage other = race.page("ben", "2");
        race.at(0, leader::connect);
        race.at(3000, other::connect);
        race.at(10_000, () -> leader.cut(25_000, true, 1000, 2000));
        return race.until(60_000);
    }

    @Test
    void race_09_a_refused_write_and_no_retry() {
        assertThat(refusedWrite(PUBLISHED).workers()).isZero();
        assertOneLeader(refusedWrite(SHIPPED));
    }

    private static Race refusedWrite(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage one = race.page("ann", "1");
        race.at(0, one::connect);
        // Its entry has passed; what it writes next is refused.
        race.at(16, () -> race.hub.failNext = 1);
        return race.until(20_000);
    }

    @Test
    void race_10_an_acknowledgement_taken_for_an_election() {
        ModelPage lost = acknowledged(PUBLISHED).pages.get("ann 5");
        assertThat(lost.brain.named()).map(LeaderView::clientId).hasValue("ben");
        assertThat(lost.elections).as("it saw another lead, and worked").isPositive();
        Race won = acknowledged(SHIPPED);
        assertThat(won.pages.get("ann 5").elections).isZero();
        assertThat(won.mostWorkers()).isEqualTo(1);
        assertOneLeader(won);
    }

    /** The other's claim is applied first; then both are acknowledged. */
    private static Race acknowledged(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage slow = race.page("ann", "5");
        ModelPage quick = race.page("ben", "3");
        race.at(0, slow::connect);
        race.at(16, () -> slow.up = () -> 4000);
        race.at(100, quick::connect);
        return race.until(30_000);
    }

    @Test
    void race_11_an_open_socket_and_no_work() {
        assertThat(zombie(PUBLISHED).workers()).isZero();
        Race won = zombie(SHIPPED);
        assertThat(won.workers()).isEqualTo(1);
        assertThat(won.mostWorkers()).isEqualTo(1);
        Race thawed = zombie(SHIPPED).until(60_000);
        assertOneLeader(thawed);
        assertThat(thawed.mostWorkers()).isEqualTo(1);
    }

    private static Race zombie(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsClaims(algorithm);
        ModelPage leader = race.page("ann", "1");
        ModelPage other = race.page("ben", "2");
        race.at(0, leader::connect);
        race.at(3000, other::connect);
        race.at(10_000, () -> leader.freeze(40_000, false, false));
        return race.until(30_000);
    }

    @Test
    void race_12_a_hand_over_without_a_term() {
        assertThat(handOver(PUBLISHED)).as("the counter goes back").containsExactly(1, 2, 3, 4, 3, 5);
        assertThat(handOver(SHIPPED)).containsExactly(1, 2, 3, 4, 5);
    }

    /** What a third page hears: a leader counts; what it says while it is cut off waits in its SDK. */
    private static List<Integer> handOver(Algorithm algorithm) {
        Race race = Race.onHubThatGrantsNothing(algorithm);
        ModelPage leader = race.page("ann", "1", "7");
        ModelPage next = race.page("ben", "2");
        ModelPage listener = race.page("cid", "3");
        race.at(0, leader::connect);
        race.at(3000, next::connect);
        race.at(4000, listener::connect);
        race.at(9000, () -> leader.say(1));
        race.at(9500, () -> leader.say(2));
        race.at(10_000, () -> leader.cut(30_000, true, 500, 1000));
        race.at(11_000, () -> leader.say(3));
        race.at(35_000, () -> next.say(3));
        race.at(36_000, () -> next.say(4));
        race.at(45_000, () -> next.say(5));
        race.until(60_000);
        return listener.heard;
    }

    @Test
    void race_13_the_set_empties_and_terms_begin_again() {
        assertThat(emptied(Race.onHubThatGrantsClaims(PUBLISHED)))
                .as("of before")
                .containsExactly(1, 2, 9);
        assertThat(emptied(Race.onHubThatGrantsClaims(SHIPPED))).containsExactly(1, 2);
        // Where nobody keeps the terms they begin again, and nothing tells the old message from a new one.
        assertThat(emptied(Race.onHubThatGrantsNothing(SHIPPED))).containsExactly(1, 2, 9);
    }

    /** A leader's last word waits in its SDK; the set empties; another leads; the word arrives. */
    private static List<Integer> emptied(Race race) {
        ModelPage leader = race.page("ann", "1", "7");
        ModelPage next = race.page("ben", "2");
        ModelPage listener = race.page("cid", "3");
        race.at(0, leader::connect);
        race.at(5000, () -> leader.cut(60_000, true, 500, 1000));
        race.at(6000, () -> leader.say(9));
        race.at(30_000, next::connect);
        race.at(31_000, listener::connect);
        race.at(40_000, () -> next.say(1));
        race.at(41_000, () -> next.say(2));
        race.until(80_000);
        return listener.heard;
    }

    private static void assertOneLeader(Race race) {
        assertThat(race.workers()).as("workers").isEqualTo(1);
        assertThat(race.named()).as("whom they name").hasSize(1).first().matches(named -> named.isPresent());
    }
}
