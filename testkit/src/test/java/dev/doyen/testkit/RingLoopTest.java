package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.RingContest;
import dev.doyen.driver.RingTally;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingTiming;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RingLoopTest extends MembershipLoopTest {

    private static final RingSettings SETTINGS =
            new RingSettings(RingAlgorithm.CHANG_ROBERTS, RingTiming.ofFollow(Duration.ofSeconds(1)), 100, true);

    @Override
    MembershipContest contest(Membership membership, ManualThreads threads) {
        return new RingContest(SETTINGS, membership.me(), new RingTally());
    }

    @Override
    String topic() {
        return "ring/orders";
    }

    @Test
    void what_was_sent_is_counted() {
        leadingWithAnother();
        pass(1_000);
        RingTally tally = ((RingContest) a.contest).tally();
        assertThat(tally.lapsSent()).isPositive();
        assertThat(tally.contestSent()).isPositive();
    }

    @Test
    void what_a_member_sent_that_is_put_out_is_not_read() {
        leadingWithAnother();
        cluster.join("c").send(a.membership.me(), topic(), new byte[] {7});
        pass(10);
        assertThat(a.loop.tally().notRead()).isZero();
    }
}
