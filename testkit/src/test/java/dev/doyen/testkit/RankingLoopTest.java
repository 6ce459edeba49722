package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.RankingContest;
import dev.doyen.membership.Membership;
import dev.doyen.ranking.RankingSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RankingLoopTest extends MembershipLoopTest {

    private static final RankingSettings SETTINGS =
            RankingSettings.DEFAULT.withTtl(Duration.ofSeconds(1)).withSettle(Duration.ZERO);

    @Override
    MembershipContest contest(Membership membership, ManualThreads threads) {
        return new RankingContest(SETTINGS, membership.me(), threads.now());
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
        long before = ((RankingContest) a.contest).answered();
        pass(100);
        assertThat(a.told).containsExactly("elected 1", "lost 1 SUPERSEDED");
        assertThat(((RankingContest) a.contest).answered())
                .as("answers while its work goes on")
                .isEqualTo(before);
        a.stop();
        assertThat(((RankingContest) a.contest).answered()).isGreaterThan(before);
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
        long before = ((RankingContest) a.contest).answered();
        pass(500);
        assertThat(((RankingContest) a.contest).answered()).isEqualTo(before);
        pass(310);
        assertThat(((RankingContest) a.contest).answered()).isGreaterThan(before);
        pass(3_000);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void what_was_sent_is_counted_once_it_is_on_its_way() {
        Worker b = leadingWithAnother();
        var mine = (RankingContest) a.contest;
        var others = (RankingContest) b.contest;
        long asked = mine.asked();
        long answered = others.answered();
        pass(1_000);
        assertThat(mine.asked() - asked).as("a ping each ttl/4").isEqualTo(4);
        assertThat(others.answered() - answered).isEqualTo(4);
        assertThat(a.loop.tally().notSent()).isZero();
    }
}
