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

/** The demonstration with real processes that are killed, suspended and cut off. */
@Timeout(900)
class QuorumDemoTest {

    private final QuorumDemo demo = new QuorumDemo(SearchPath.ofThisProcess());
    private final Walk walk = new Walk(demo);

    @AfterEach
    void end() {
        demo.close();
    }

    @Test
    void whatever_happens_to_the_leader_another_one_counts_on() throws Exception {
        assertThat(walk.state().path("started").asBoolean()).isFalse();
        walk.act(Action.START, 0);
        JsonNode state = walk.untilCountsBeyond(2, 0);

        int killed = Walk.leader(state);
        assertThat(walk.act(Action.KILL, killed)).startsWith("Member " + killed + " was killed: SIGKILL to process ");
        assertThat(isAlive(Walk.member(state, killed))).isFalse();
        state = walk.untilCountsBeyond(Walk.count(state), Walk.term(state));
        assertThat(Walk.leader(state)).isNotEqualTo(killed);

        walk.act(Action.RESTART, killed);
        walk.until("the restarted member has the log", now -> {
            JsonNode member = Walk.member(now, killed);
            return member.path("state").asText().equals("running")
                    && member.path("applied").asLong() > 0;
        });

        state = walk.untilCountsBeyond(0, 0);
        int frozen = Walk.leader(state);
        walk.act(Action.FREEZE, frozen);
        state = walk.untilCountsBeyond(Walk.count(state), Walk.term(state));
        assertThat(Walk.leader(state)).isNotEqualTo(frozen);
        assertThat(Walk.member(state, frozen).path("state").asText()).isEqualTo("frozen");
        walk.until(
                "the others do not reach the frozen member",
                now -> Walk.member(now, frozen).path("reachedBy").isEmpty());
        walk.act(Action.THAW, frozen);
        walk.until(
                "the others reach the thawed member",
                now -> Walk.member(now, frozen).path("reachedBy").size() == 2);

        state = walk.untilCountsBeyond(0, 0);
        int cut = Walk.leader(state);
        walk.act(Action.CUT, cut);
        state = walk.untilCountsBeyond(Walk.count(state), Walk.term(state));
        assertThat(Walk.leader(state)).isNotEqualTo(cut);
        walk.until(
                "the member that was cut off leads no more",
                now -> !Walk.member(now, cut).path("leads").asBoolean());
        walk.act(Action.RECONNECT, cut);
        walk.until("all three take part", now -> now.at("/quorum/available").asInt() == 3);
    }

    @Test
    void without_a_majority_nobody_counts_and_with_one_the_count_goes_on() throws Exception {
        walk.act(Action.START, 0);
        JsonNode state = walk.untilCountsBeyond(2, 0);
        int leader = Walk.leader(state);
        List<Integer> others = new ArrayList<>(List.of(1, 2, 3));
        others.remove(Integer.valueOf(leader));

        walk.act(Action.KILL, others.get(0));
        walk.act(Action.KILL, others.get(1));
        state = walk.until("nobody leads", now -> now.path("leader").isMissingNode());
        long last = Walk.count(state);
        assertThat(state.path("events").toString()).contains("Only 1 of 3 voters take part");
        assertThatThrownBy(() -> walk.act(Action.ADD, 0)).hasMessageContaining("there is no majority");

        walk.act(Action.RESTART, others.get(0));
        state = walk.until("somebody counts on", now -> Walk.count(now) > last);
        assertThat(Walk.leader(state)).isNotEqualTo(others.get(1));
    }

    @Test
    void a_fourth_member_joins_votes_and_is_removed_again() throws Exception {
        walk.act(Action.START, 0);
        walk.untilCountsBeyond(0, 0);
        walk.until("all three take part", now -> now.at("/quorum/available").asInt() == 3);

        walk.act(Action.ADD, 0);
        JsonNode state = walk.until(
                "four voters, of which three are a majority",
                now -> now.at("/quorum/voters").asInt() == 4
                        && now.at("/quorum/needed").asInt() == 3
                        && Walk.member(now, 4).path("votes").asBoolean());
        long pid = Walk.member(state, 4).path("pid").asLong();
        walk.until("it has the log", now -> Walk.member(now, 4).path("applied").asLong() > 0);

        walk.until("the change is done", now -> !now.path("changing").asBoolean());
        walk.act(Action.REMOVE, 4);
        state = walk.until(
                "three members",
                now -> now.path("members").size() == 3
                        && now.at("/quorum/voters").asInt() == 3);
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        walk.untilCountsBeyond(Walk.count(state), 0);
    }

    @Test
    void starting_over_ends_the_old_processes_and_counts_from_the_beginning() throws Exception {
        walk.act(Action.START, 0);
        JsonNode first =
                walk.until("the first members", now -> now.path("members").size() == 3);

        walk.act(Action.START, 0);

        JsonNode second = walk.state();
        for (int i = 1; i <= 3; i++) {
            assertThat(isAlive(Walk.member(first, i))).isFalse();
            assertThat(isAlive(Walk.member(second, i))).isTrue();
        }
    }

    @Test
    void a_system_without_the_command_kill_freezes_nothing() throws Exception {
        try (var without = new QuorumDemo(new SearchPath(Optional.of("/nowhere")))) {
            var there = new Walk(without);
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
