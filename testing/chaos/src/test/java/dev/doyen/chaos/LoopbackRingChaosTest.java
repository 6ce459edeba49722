package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.chaos.RingOutput.Named;
import dev.doyen.testkit.HeldPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Chaos tests of a ring on loopback, without a secret. */
class LoopbackRingChaosTest extends RingChaos {

    /**
     * A time after which a leader without a confirmed heartbeat no longer leads.
     *
     * <p>A leader leads for 0.8 of the election timeout after it has sent the last heartbeat that was confirmed.
     */
    private static final Duration PAST_LEAD = ELECTION_TIMEOUT;

    /** The length of a freeze. It is long enough for the other members to remove the frozen member from the view. */
    private static final Duration FROZEN = Duration.ofSeconds(6);

    /** The length of one pause of a slow follower. The pause is too short for a suspicion. */
    private static final Duration PAUSE = Duration.ofMillis(2_500);

    private static final Duration RUN = Duration.ofMillis(300);
    private static final int PAUSES = 4;

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
    void a_closed_leader_is_replaced() throws Exception {
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
        spans.print("the leader closes");
    }

    @Test
    void a_frozen_leader_is_replaced_and_does_not_lead_when_it_continues() throws Exception { // R8
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
            output.awaitLeading(next, from + PAST_LEAD.toNanos() / 1000);
            long back = RingMember.micros();
            leader.goOn();
            woken.add(Span.of(back, output.awaitAgreement(ids(), next::equals).values()));
            output.awaitLeading(next, RingMember.micros());
            assertThat(output.ledAfter(back)).allMatch(led -> led.by().equals(next));
        }
        assertThat(stopped.views)
                .allMatch(millis -> millis < SILENT.plus(BUSY_MACHINE).toMillis());
        holds();
        stopped.print("SIGSTOP of the leader");
        woken.print("SIGCONT of the old leader");
    }

    @Test
    void when_a_follower_freezes_the_leader_keeps_its_term() throws Exception { // R13
        startAll();
        // The first leader is normally JGroups' coordinator, which makes the views. The test makes this leader hand
        // over, so that the first follower that freezes is the coordinator.
        String coordinator = agreed();
        members.get(placeOf(coordinator)).handOver(followers(coordinator).get(0).id());
        output.awaitAgreement(ids(), leader -> !leader.equals(coordinator));
        var left = new ArrayList<Long>();
        var together = new ArrayList<Long>();
        int kept = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Named before = confirmed();
            RingProcess follower = followers(before.leader()).get(round % 2);
            var others = new TreeSet<>(ids());
            others.remove(follower.id());
            long from = RingMember.micros();
            follower.stop();
            output.awaitView(others);
            left.add((RingMember.micros() - from) / 1000);
            output.awaitLed(from + FROZEN.toNanos() / 1000);
            long back = RingMember.micros();
            follower.goOn();
            kept += keptTerm(before, from) ? 1 : 0;
            together.add((RingMember.micros() - back) / 1000);
        }
        System.out.printf(
                "chaos ring %s, SIGSTOP of a follower for %s: the leader kept its term in %d of %d; the others had a view"
                        + " without it after %s ms; all members were in one view %s ms after its SIGCONT%n",
                where(), FROZEN, kept, ROUNDS, median(left), median(together));
        assertThat(kept).isEqualTo(ROUNDS);
    }

    @Test
    void when_a_follower_is_slow_the_leader_keeps_its_term() throws Exception { // R13
        startAll();
        int kept = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Named before = confirmed();
            RingProcess follower = followers(before.leader()).get(round % 2);
            long from = RingMember.micros();
            for (int pause = 0; pause < PAUSES; pause++) {
                follower.stop();
                output.awaitLed(RingMember.micros() + PAUSE.toNanos() / 1000);
                follower.goOn();
                output.awaitLed(RingMember.micros() + RUN.toNanos() / 1000);
            }
            kept += keptTerm(before, from) ? 1 : 0;
        }
        System.out.printf(
                "chaos ring %s, a follower that ran for %s between %d pauses of %s: the leader kept its term in %d of %d%n",
                where(), RUN, PAUSES, PAUSE, kept, ROUNDS);
        assertThat(kept).isEqualTo(ROUNDS);
    }

    /** Waits until a heartbeat of the leader has been confirmed, and returns the leader. */
    private Named confirmed() throws InterruptedException {
        Named leader = output.of(agreed()).leader();
        // Without a confirmed heartbeat the leader would lose its leadership within this time.
        output.awaitLed(RingMember.micros() + PAST_LEAD.toNanos() / 1000);
        return leader;
    }

    private boolean keptTerm(Named before, long from) throws InterruptedException {
        output.awaitAgreement(ids(), leader -> true);
        output.awaitLed(RingMember.micros());
        return output.ledAfter(from).stream()
                .allMatch(led -> led.by().equals(before.leader()) && led.term() == before.term());
    }

    private List<RingProcess> followers(String leader) {
        return members.values().stream()
                .filter(each -> !each.id().equals(leader))
                .toList();
    }

    private String leaderBeside(String id) {
        return ids().stream()
                .filter(each -> !each.equals(id))
                .findFirst()
                .map(each -> output.of(each).leader().leader())
                .orElseThrow();
    }
}
