package dev.doyen.demo.quorum.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.demo.quorum.Action;
import dev.doyen.process.SearchPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the demonstration with real processes that the tests kill, suspend and disconnect. */
@Timeout(900)
class QuorumDemoTest {

    private final QuorumDemo demo = new QuorumDemo(SearchPath.ofThisProcess());
    private final PageVisitor visitor = new PageVisitor(demo);

    @AfterEach
    void end() {
        demo.close();
    }

    @Test
    void another_member_continues_the_count_after_any_fault_of_the_leader() throws Exception {
        assertThat(visitor.state().path("started").asBoolean()).isFalse();
        visitor.act(Action.START, 0);
        JsonNode state = visitor.untilCountsBeyond(2, 0);

        int killed = PageVisitor.leader(state);
        assertThat(visitor.act(Action.KILL, killed))
                .startsWith("Member " + killed + " was killed: SIGKILL to process ");
        assertThat(isAlive(PageVisitor.member(state, killed))).isFalse();
        state = visitor.untilCountsBeyond(PageVisitor.count(state), PageVisitor.term(state));
        assertThat(PageVisitor.leader(state)).isNotEqualTo(killed);

        visitor.act(Action.RESTART, killed);
        visitor.until("the restarted member has the log", now -> {
            JsonNode member = PageVisitor.member(now, killed);
            return member.path("state").asText().equals("running")
                    && member.path("applied").asLong() > 0;
        });

        state = visitor.untilCountsBeyond(0, 0);
        int frozen = PageVisitor.leader(state);
        visitor.act(Action.FREEZE, frozen);
        state = visitor.untilCountsBeyond(PageVisitor.count(state), PageVisitor.term(state));
        assertThat(PageVisitor.leader(state)).isNotEqualTo(frozen);
        assertThat(PageVisitor.member(state, frozen).path("state").asText()).isEqualTo("frozen");
        visitor.until(
                "the other members do not reach the frozen member",
                now -> PageVisitor.member(now, frozen).path("reachedBy").isEmpty());
        visitor.act(Action.THAW, frozen);
        visitor.until(
                "the other members reach the thawed member",
                now -> PageVisitor.member(now, frozen).path("reachedBy").size() == 2);

        state = visitor.untilCountsBeyond(0, 0);
        int cut = PageVisitor.leader(state);
        visitor.act(Action.CUT, cut);
        state = visitor.untilCountsBeyond(PageVisitor.count(state), PageVisitor.term(state));
        assertThat(PageVisitor.leader(state)).isNotEqualTo(cut);
        visitor.until(
                "the member that was cut off stopped leading",
                now -> !PageVisitor.member(now, cut).path("leads").asBoolean());
        visitor.act(Action.RECONNECT, cut);
        visitor.until("all three take part", now -> now.at("/quorum/available").asInt() == 3);
    }

    @Test
    void the_count_stops_without_a_majority_and_continues_with_one() throws Exception {
        visitor.act(Action.START, 0);
        JsonNode state = visitor.untilCountsBeyond(2, 0);
        int leader = PageVisitor.leader(state);
        List<Integer> others = new ArrayList<>(List.of(1, 2, 3));
        others.remove(Integer.valueOf(leader));

        visitor.act(Action.KILL, others.get(0));
        visitor.act(Action.KILL, others.get(1));
        state = visitor.until("no member leads", now -> now.path("leader").isMissingNode());
        long last = PageVisitor.count(state);
        assertThat(state.path("events").toString()).contains("Only 1 of 3 voters take part");
        assertThatThrownBy(() -> visitor.act(Action.ADD, 0)).hasMessageContaining("there is no majority");

        visitor.act(Action.RESTART, others.get(0));
        state = visitor.until("a member continues the count", now -> PageVisitor.count(now) > last);
        assertThat(PageVisitor.leader(state)).isNotEqualTo(others.get(1));
    }

    @Test
    void a_fourth_member_joins_votes_and_is_removed_again() throws Exception {
        visitor.act(Action.START, 0);
        visitor.untilCountsBeyond(0, 0);
        visitor.until("all three take part", now -> now.at("/quorum/available").asInt() == 3);

        visitor.act(Action.ADD, 0);
        JsonNode state = visitor.until(
                "four voters, of which three are a majority",
                now -> now.at("/quorum/voters").asInt() == 4
                        && now.at("/quorum/needed").asInt() == 3
                        && PageVisitor.member(now, 4).path("votes").asBoolean());
        long pid = PageVisitor.member(state, 4).path("pid").asLong();
        visitor.until(
                "the new member has the log",
                now -> PageVisitor.member(now, 4).path("applied").asLong() > 0);

        visitor.until("the change is done", now -> !now.path("changing").asBoolean());
        visitor.act(Action.REMOVE, 4);
        state = visitor.until(
                "three members",
                now -> now.path("members").size() == 3
                        && now.at("/quorum/voters").asInt() == 3);
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        visitor.untilCountsBeyond(PageVisitor.count(state), 0);
    }

    @Test
    void a_restart_ends_the_old_processes_and_starts_the_count_at_zero() throws Exception {
        visitor.act(Action.START, 0);
        JsonNode first =
                visitor.until("the first members", now -> now.path("members").size() == 3);

        visitor.act(Action.START, 0);

        JsonNode second = visitor.state();
        for (int i = 1; i <= 3; i++) {
            assertThat(isAlive(PageVisitor.member(first, i))).isFalse();
            assertThat(isAlive(PageVisitor.member(second, i))).isTrue();
        }
    }

    @Test
    void a_system_without_the_command_kill_cannot_freeze_a_member() throws Exception {
        try (var without = new QuorumDemo(new SearchPath(Optional.of("/nowhere")))) {
            var there = new PageVisitor(without);
            assertThat(there.state().path("canFreeze").asBoolean()).isFalse();
            there.act(Action.START, 0);
            assertThatThrownBy(() -> there.act(Action.FREEZE, 1)).hasMessageContaining("no command kill");
        }
    }

    private static boolean isAlive(JsonNode member) {
        return ProcessHandle.of(member.path("pid").asLong())
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }
}
