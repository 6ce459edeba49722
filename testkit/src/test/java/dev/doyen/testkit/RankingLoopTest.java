package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.RankingContest;
import dev.doyen.driver.RankingTally;
import dev.doyen.membership.Membership;
import dev.doyen.ranking.RankingSettings;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RankingLoopTest extends MembershipLoopTest {

    private static final RankingSettings SETTINGS =
            RankingSettings.DEFAULT.withTtl(Duration.ofSeconds(1)).withSettle(Duration.ZERO);

    @Override
    MembershipContest contest(Membership membership, ManualThreads threads) {
        return new RankingContest(SETTINGS, membership.me(), threads.now(), new RankingTally());
    }

    @Override
    String topic() {
        return "ranking/orders";
    }

    @Test
    void after_a_merge_the_one_that_stops_has_stopped_its_work_before_it_answers_the_claim_of_the_other() {
        Worker b = leadingWithAnother();
        cluster.partition(b.membership);
        pass(200);
        assertThat(b.told).containsExactly("elected 2");
        assertThat(a.leads() && b.leads()).as("one on each side").isTrue();
        cluster.merge();
        long before = tally(a).answered();
        pass(100);
        assertThat(a.told).containsExactly("elected 1", "lost 1 SUPERSEDED");
        assertThat(tally(a).answered()).as("answers while its work goes on").isEqualTo(before);
        a.stop();
        assertThat(tally(a).answered()).isGreaterThan(before);
        pass(3_000);
        assertThat(b.leads()).isTrue();
        assertThat(b.told).containsExactly("elected 2");
    }

    @Test
    void a_leader_whose_rival_does_not_stop_its_work_is_answered_when_that_could_lead_no_more() {
        Worker b = leadingWithAnother();
        cluster.partition(b.membership);
        pass(200);
        cluster.merge();
        long before = tally(a).answered();
        pass(500);
        assertThat(tally(a).answered()).isEqualTo(before);
        pass(310);
        assertThat(tally(a).answered()).isGreaterThan(before);
        pass(3_000);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void what_was_sent_is_counted_once_it_is_on_its_way() {
        Worker b = leadingWithAnother();
        RankingTally mine = tally(a);
        RankingTally others = tally(b);
        long asked = mine.asked();
        long answered = others.answered();
        pass(1_000);
        assertThat(mine.asked() - asked).as("a ping each ttl/4").isEqualTo(4);
        assertThat(others.answered() - answered).isEqualTo(4);
        assertThat(a.loop.tally().notSent()).isZero();
    }

    @Test
    void a_follower_counts_from_the_last_word_of_its_leader() {
        Worker b = leadingWithAnother();
        pass(1_000);
        cluster.partition(b.membership);
        Instant heard = tally(b).lastWord().orElseThrow();
        long now = threads.now().wallMillis();
        assertThat(now - heard.toEpochMilli()).as("a ping each ttl/4").isBetween(0L, 250L);
        pass(1_000);
        assertThat(tally(b).lastWord()).contains(heard);
        assertThat(tally(a).lastWord()).as("it has only ever heard of itself").isEmpty();
    }

    private static RankingTally tally(Worker worker) {
        return ((RankingContest) worker.contest).tally();
    }
}
