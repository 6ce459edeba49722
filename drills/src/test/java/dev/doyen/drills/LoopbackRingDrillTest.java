package dev.doyen.drills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.HeldPorts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ring's drills on loopback, without a secret. */
class LoopbackRingDrillTest extends RingDrill {

    /** Longer than a leader leads without a lap that came home: 0.8 of follow, from before the stop. */
    private static final Duration PAST_LEAD = FOLLOW;

    private final HeldPorts ports = HeldPorts.withAnother(dev.doyen.cluster.ClusterSettings.SUSPICION_OFFSET);
    private final List<Integer> taken = ports.take(3);

    @AfterEach
    void release() {
        ports.close();
    }

    @Override
    List<String> addresses() {
        return taken.stream().map(port -> "127.0.0.1:" + port).toList();
    }

    @Override
    List<String> prefix(int place) {
        ports.release(taken.get(place));
        return List.of();
    }

    @Override
    String secret() {
        return "";
    }

    @Override
    String where() {
        return "on loopback";
    }

    @Test
    void when_the_leader_closes_the_next_one_follows() throws Exception {
        startAll();
        var spans = new Spans();
        for (int round = 0; round < ROUNDS; round++) {
            int place = placeOf(agreed());
            try (RingProcess leader = dropped(place)) {
                spans.goes(leader.id());
                long from = RingMember.micros();
                leader.leave();
                spans.add(followed(leader.id(), from));
                leader.awaitEnd();
            }
            start(place);
        }
        assertThat(spans.views).allMatch(millis -> millis < BUSY_MACHINE.toMillis());
        holds();
        spans.say("the leader closes");
    }

    @Test
    void when_the_leader_stands_still_another_follows_and_it_leads_no_more_when_it_goes_on() throws Exception { // R8
        startAll();
        var stopped = new Spans();
        var woken = new Spans();
        for (int round = 0; round < ROUNDS; round++) {
            RingProcess leader = members.get(placeOf(agreed()));
            stopped.goes(leader.id());
            long from = RingMember.micros();
            leader.stop();
            stopped.add(followed(leader.id(), from));
            String next = leaderBeside(leader.id());
            sayings.awaitLeading(next, from + PAST_LEAD.toNanos() / 1000);
            long back = RingMember.micros();
            leader.goOn();
            woken.add(Span.of(back, sayings.awaitAgreement(ids(), next::equals).values()));
            sayings.awaitLeading(next, RingMember.micros());
            assertThat(sayings.ledAfter(back)).allMatch(led -> led.by().equals(next));
        }
        assertThat(stopped.views)
                .allMatch(millis -> millis < SILENT.plus(BUSY_MACHINE).toMillis());
        holds();
        stopped.say("SIGSTOP of the leader");
        woken.say("SIGCONT of it");
    }

    private String leaderBeside(String id) {
        return ids().stream()
                .filter(each -> !each.equals(id))
                .findFirst()
                .map(each -> sayings.of(each).leader().leader())
                .orElseThrow();
    }
}
