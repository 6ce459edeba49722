package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.HealthCheck;
import dev.doyen.Leadership;
import dev.doyen.membership.Membership;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What cannot be meant of an election by ranking is refused: what, value, bound, remedy. */
class RankingSettingsSentencesTest {

    private final ManualThreads threads = new ManualThreads();
    private final Membership membership = new FakeCluster(threads).join("a");

    @Test
    void settings_out_of_their_bounds() {
        var builder = Election.ranking("orders");
        assertThatThrownBy(() -> builder.priority(101))
                .hasMessage("priority is 101; its bounds are 0 and 100: lower it");
        assertThatThrownBy(() -> builder.priority(-1)).hasMessage("priority is -1; its bounds are 0 and 100: raise it");
        assertThatThrownBy(() -> builder.ttl(Duration.ofMillis(99)))
                .hasMessage("ttl is 99 ms; its bounds are 100 and 3600000 ms: raise it");
        assertThatThrownBy(() -> builder.settle(Duration.ofSeconds(61)))
                .hasMessage("settle is 61000 ms; its bounds are 0 and 60000 ms: lower it");
        assertThatThrownBy(() -> builder.cooldown(Duration.ofHours(2)))
                .hasMessage("cooldown is 7200000 ms; its bounds are 0 and 3600000 ms: lower it");
        assertThatThrownBy(() ->
                        builder.health(HealthCheck.of(() -> true).whenNobodyIsWell(HealthCheck.NobodyWell.LEAD_ANYWAY)))
                .hasMessage("by ranking a candidate that is not well does not lead, whoever else is well:"
                        + " choose NobodyWell.NO_LEADER");
    }

    @Test
    void a_name_has_to_fit_its_topic() {
        assertThatThrownBy(() -> Election.ranking("n".repeat(248)))
                .hasMessageStartingWith("election name has 248 characters; by ranking at most 247 are allowed: nnn");
        assertThatCode(() -> Election.ranking("n".repeat(247))
                        .membership(membership)
                        .threads(threads)
                        .open())
                .doesNotThrowAnyException();
    }

    @Test
    void a_membership_is_needed_and_takes_part_once() {
        assertThatThrownBy(() -> Election.ranking("orders").open())
                .hasMessage("election \"orders\" by ranking has no membership;"
                        + " give one, such as ClusterMembership of doyen-cluster");
        open();
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes part in \"ranking/orders\" already, or has");
    }

    @Test
    void what_needs_a_record_or_a_second_member() {
        Election election = open();
        Candidate candidate = election.join("a");
        assertThatThrownBy(() -> election.join("x"))
                .hasMessage("candidate id \"x\" is not the name of this process in its membership, \"a\";"
                        + " by ranking a candidate is called like its member");
        assertThatThrownBy(() -> election.join("a"))
                .hasMessage("\"a\" stands in election \"orders\" already; by ranking a process is one member:"
                        + " close that candidate first");
        assertThatThrownBy(() -> election.control("me"))
                .hasMessageStartingWith("election \"orders\" is by ranking and has no record");
        assertThatThrownBy(() -> candidate.transferTo("b"))
                .hasMessageStartingWith("election \"orders\" is by ranking, where nobody is handed the leadership");
        threads.pass(Duration.ofSeconds(1));
        Leadership leadership = candidate.leadership().orElseThrow();
        assertThatThrownBy(() -> leadership.save(leadership.state()))
                .hasMessageStartingWith("election \"orders\" is by ranking, which keeps no state");
    }

    private Election open() {
        return Election.ranking("orders")
                .membership(membership)
                .threads(threads)
                .open();
    }
}
