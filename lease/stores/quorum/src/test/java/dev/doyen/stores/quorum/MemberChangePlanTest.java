package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.stores.quorum.MemberStep.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests the next step of each change of members. After each step the number of voters is odd, including the placeholder
 * (see {@link MemberList}).
 */
class MemberChangePlanTest {

    private static final long COMMITTED = 10;

    @Test
    void a_voter_is_added_as_a_learner_first_and_promoted_when_it_has_all_entries() {
        var quorum = new Quorum("a", "b", "c");
        assertThat(quorum.add("d")).isEqualTo(Kind.CHANGE);
        assertThat(quorum.learners()).containsExactly("d");

        quorum.confirmed.put(member("d"), COMMITTED - 1);
        assertThat(quorum.add("d")).isEqualTo(Kind.WAIT);
        assertThat(quorum.text).isEqualTo("d:1 gets the records: entry 9 of 10");

        quorum.confirmed.put(member("d"), COMMITTED);
        assertThat(quorum.add("d")).isEqualTo(Kind.CHANGE);
        assertThat(quorum.voters()).containsExactly("a", "b", "c", "d");
        assertThat(quorum.add("d")).isEqualTo(Kind.DONE);
        assertThat(quorum.text).contains("4 voters").contains("an odd number is better");
    }

    @Test
    void an_even_number_of_voters_has_a_placeholder_and_an_odd_number_has_none() {
        var quorum = new Quorum("a", "b", "c");
        for (String added : List.of("d", "e", "f", "g")) {
            quorum.add(added);
            quorum.confirmed.put(member(added), COMMITTED);
            assertThat(quorum.add(added)).isEqualTo(Kind.CHANGE);
            quorum.isOdd();
        }
        assertThat(quorum.add("h")).isEqualTo(Kind.REFUSED);
        assertThat(quorum.text).contains("7 voters, which is the limit");
        for (String removed : List.of("b", "c", "d", "e", "f")) {
            assertThat(quorum.remove(removed)).isEqualTo(Kind.CHANGE);
            quorum.isOdd();
        }
        assertThat(quorum.voters()).containsExactly("a", "g");
        assertThat(quorum.remove("g")).isEqualTo(Kind.REFUSED);
        assertThat(quorum.text).contains("on one disk only");
    }

    @Test
    void a_dead_voter_of_three_leaves_first_and_a_placeholder_is_reserved_for_the_new_one() {
        var quorum = new Quorum("a", "b", "c");
        quorum.away("c");
        quorum.replace("c", "d");
        quorum.confirmed.put(member("d"), COMMITTED);
        assertThat(quorum.replace("c", "d")).isEqualTo(Kind.CHANGE);
        assertThat(quorum.voters()).containsExactly("a", "b");
        assertThat(quorum.members.isReservedFor(member("d"))).isTrue();
        quorum.isOdd();

        assertThat(quorum.replace("c", "d")).isEqualTo(Kind.CHANGE);
        assertThat(quorum.voters()).containsExactly("a", "b", "d");
        assertThat(quorum.replace("c", "d")).isEqualTo(Kind.DONE);
    }

    @Test
    void a_running_voter_stays_until_the_new_one_votes() {
        var quorum = new Quorum("a", "b", "c");
        quorum.replace("c", "d");
        quorum.confirmed.put(member("d"), COMMITTED);
        quorum.replace("c", "d");
        assertThat(quorum.voters()).containsExactly("a", "b", "c", "d");
        quorum.replace("c", "d");
        assertThat(quorum.voters()).containsExactly("a", "b", "d");
    }

    @Test
    void beside_a_placeholder_the_new_one_votes_before_a_dead_one_leaves() {
        var quorum = new Quorum("a", "b", "c", "d");
        quorum.away("d");
        quorum.replace("d", "e");
        quorum.confirmed.put(member("e"), COMMITTED);
        quorum.replace("d", "e");
        assertThat(quorum.voters()).containsExactly("a", "b", "c", "d", "e");
        quorum.replace("d", "e");
        assertThat(quorum.voters()).containsExactly("a", "b", "c", "e");
    }

    @Test
    void in_a_full_quorum_one_voter_leaves_before_another_votes() {
        var quorum = new Quorum("a", "b", "c", "d", "e", "f", "g");
        quorum.replace("g", "h");
        quorum.confirmed.put(member("h"), COMMITTED);
        quorum.replace("g", "h");
        assertThat(quorum.voters()).containsExactly("a", "b", "c", "d", "e", "f");
        quorum.replace("g", "h");
        assertThat(quorum.voters()).hasSize(7).contains("h");
    }

    @Test
    void the_leader_hands_over_before_it_leaves() {
        var quorum = new Quorum("a", "b", "c");
        quorum.confirmed.put(member("b"), COMMITTED - 5);
        quorum.away("b");
        assertThat(quorum.remove("a")).isEqualTo(Kind.REFUSED);

        quorum.reachable.add(member("b"));
        assertThat(quorum.remove("a")).isEqualTo(Kind.TRANSFER);
        assertThat(quorum.text).isEqualTo("c:1 takes over as leader of the log");
    }

    @Test
    void a_removal_that_leaves_no_majority_is_rejected_with_the_missing_members() {
        var quorum = new Quorum("a", "b", "c");
        quorum.away("c");

        assertThat(quorum.remove("b")).isEqualTo(Kind.REFUSED);
        assertThat(quorum.text)
                .isEqualTo("the quorum would lose its majority: of 2 voters 2 must run, but only 1 are. Start c:1, or"
                        + " replace them");
        assertThat(quorum.remove("c")).isEqualTo(Kind.CHANGE);
    }

    @Test
    void a_third_learner_is_rejected() {
        var quorum = new Quorum("a", "b", "c");
        quorum.addLearner("d");
        quorum.addLearner("e");

        assertThat(quorum.addLearner("f")).isEqualTo(Kind.REFUSED);
        assertThat(quorum.text).contains("2 learners, which is the limit: d:1, e:1");
        assertThat(quorum.addLearner("d")).isEqualTo(Kind.DONE);
        assertThat(quorum.addLearner("a")).isEqualTo(Kind.REFUSED);
        assertThat(quorum.remove("d")).isEqualTo(Kind.CHANGE);
        assertThat(quorum.learners()).containsExactly("e");
    }

    @Test
    void an_impossible_replacement_is_rejected() {
        var quorum = new Quorum("a", "b", "c");
        assertThat(quorum.replace("x", "d")).isEqualTo(Kind.REFUSED);
        assertThat(quorum.text).isEqualTo("x:1 is not a member; the members are a:1, b:1, c:1");
        assertThat(quorum.replace("a", "a")).isEqualTo(Kind.REFUSED);
        quorum.addLearner("d");
        assertThat(quorum.replace("d", "e")).isEqualTo(Kind.REFUSED);
        assertThat(quorum.text).contains("d:1 is a learner");
        assertThat(quorum.remove("x")).isEqualTo(Kind.DONE);
    }

    @Test
    void a_process_with_a_new_directory_replaces_the_lost_one() {
        var quorum = new Quorum("a", "b", "c");
        quorum.away("c");
        var again = new QuorumEndpoint("c", "c:1", "new");
        assertThat(quorum.join(again)).isEqualTo(Kind.CHANGE);
        quorum.confirmed.put(again, COMMITTED);
        assertThat(quorum.join(again)).isEqualTo(Kind.CHANGE);
        assertThat(quorum.voters()).containsExactly("a", "b");
        assertThat(quorum.join(again)).isEqualTo(Kind.CHANGE);
        assertThat(quorum.members.voters()).containsExactly(member("a"), member("b"), again);
        assertThat(quorum.join(again)).isEqualTo(Kind.DONE);

        assertThat(quorum.join(member("d"))).isEqualTo(Kind.ABSENT);
    }

    @Test
    void a_lost_learner_and_one_of_four_voters_are_replaced() {
        var quorum = new Quorum("a", "b", "c", "d");
        quorum.away("d");
        var again = new QuorumEndpoint("d", "d:1", "new");
        quorum.join(again);
        quorum.confirmed.put(again, COMMITTED);
        quorum.join(again);
        assertThat(quorum.voters()).containsExactly("a", "b", "c", "d", "d");
        assertThat(quorum.join(again)).isEqualTo(Kind.CHANGE);
        assertThat(quorum.voters()).containsExactly("a", "b", "c", "d");
        assertThat(quorum.join(again)).isEqualTo(Kind.DONE);

        quorum.addLearner("e");
        quorum.away("e");
        var learner = new QuorumEndpoint("e", "e:1", "new");
        quorum.join(learner);
        assertThat(quorum.join(learner)).isEqualTo(Kind.CHANGE);
        assertThat(quorum.members.learners()).containsExactly(learner);
        assertThat(quorum.join(learner)).isEqualTo(Kind.LEARNER);
    }

    private static QuorumEndpoint member(String name) {
        return new QuorumEndpoint(name, name + ":1", "directory of " + name);
    }

    /** A quorum in which all changes succeed. The first voter leads. */
    private static final class Quorum {
        private MemberList members;
        private final Map<QuorumEndpoint, Long> confirmed = new HashMap<>();
        private final Set<QuorumEndpoint> reachable = new HashSet<>();
        private final QuorumEndpoint leader;
        private String text = "";

        Quorum(String... voters) {
            leader = member(voters[0]);
            members = new MemberList(1, Set.of(), Set.of());
            List<QuorumEndpoint> all =
                    Arrays.stream(voters).map(MemberChangePlanTest::member).toList();
            Set<QuorumEndpoint> voting = new LinkedHashSet<>(all);
            if (voting.size() % 2 == 0) {
                voting.add(QuorumEndpoint.placeholder(""));
            }
            members = new MemberList(1, voting, voting);
            reachable.addAll(all);
            all.forEach(each -> confirmed.put(each, COMMITTED));
        }

        void away(String name) {
            reachable.remove(member(name));
        }

        Kind add(String name) {
            return next(plan().add(here(name)));
        }

        Kind addLearner(String name) {
            return next(plan().addLearner(here(name)));
        }

        Kind remove(String name) {
            return next(plan().remove(name + ":1"));
        }

        Kind replace(String old, String name) {
            return next(plan().replace(old + ":1", here(name)));
        }

        Kind join(QuorumEndpoint process) {
            reachable.add(process);
            return next(plan().join(process));
        }

        List<String> voters() {
            return members.voters().stream().map(QuorumEndpoint::name).toList();
        }

        List<String> learners() {
            return members.learners().stream().map(QuorumEndpoint::name).toList();
        }

        void isOdd() {
            assertThat(members.voting().size() % 2).as(members.toString()).isEqualTo(1);
            assertThat(members.voting().size() - voters().size()).isBetween(0, 1);
            assertThat(members.voting().size() / 2 + 1).as("majority").isEqualTo(members.majority());
            assertThat(members.all()).containsAll(members.voting());
        }

        private QuorumEndpoint here(String name) {
            if (!members.contains(member(name))) {
                reachable.add(member(name));
            }
            return member(name);
        }

        private MemberChangePlan plan() {
            return new MemberChangePlan(members, leader, COMMITTED, confirmed, reachable);
        }

        private Kind next(MemberStep step) {
            text = step.text();
            Optional<MemberStep.Change> change = step.change();
            change.ifPresent(each -> members = each.next());
            assertThat(new ArrayList<>(members.all())).doesNotHaveDuplicates();
            return step.kind();
        }
    }
}
