package dev.doyen.group.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.election.ElectionListener;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.elector.metrics.MetricsText;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.group.FakeCluster;
import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingLeadership;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Membership;
import dev.doyen.testkit.ManualThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Tests the JSON of the console page, the metrics, and the reason for a missing leader in the elector API. */
class MemberJsonTest {

    private static final RingTiming TIMING = RingTiming.ofElectionTimeout(Duration.ofSeconds(5));
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ManualThreads threads = new ManualThreads();
    private final FakeCluster cluster = new FakeCluster(threads);
    private final Map<String, Shown> processes = new LinkedHashMap<>();

    private record Shown(
            Membership membership,
            MemberElection contest,
            KnownElection known,
            MemberJson json,
            LeadershipLog leaderships,
            RingCandidate candidate) {}

    @Test
    void the_leader_reports_the_time_of_its_message_and_all_report_one_ring() {
        List.of("a", "b", "c", "d").forEach(id -> join(id, AdminAccess.LOOPBACK));
        cluster.delay(Duration.ofMillis(5));
        threads.pass(TIMING.electionTimeout().multipliedBy(3));

        String leader = leader();
        JsonNode ring = snapshot(leader);
        assertThat(ring.path("why").path("reason").asText()).isEqualTo("leading");
        assertThat(ring.path("commands").toString()).isEqualTo("[\"resign\",\"transfer\"]");
        assertThat(ring.path("confirmedInMicros").asInt())
                .as("the message takes four hops of 5 ms each")
                .isEqualTo(20_000);
        assertThat(ring.path("remaining").asLong())
                .isBetween(1L, TIMING.leaderLease().toMillis());
        assertThat(now().toEpochMilli() - ring.path("confirmed").asLong())
                .isBetween(1L, TIMING.heartbeatInterval().plusMillis(20).toMillis());
        assertThat(ring.path("view").path("membersInAll").asInt()).isEqualTo(4);
        JsonNode first = ring.path("view").path("members").path(0);
        assertThat(first.path("id").asText()).as("a member lists itself first").isEqualTo(leader);
        assertThat(first.path("me").asBoolean()).isTrue();
        assertThat(first.path("leads").asBoolean()).isTrue();
        assertThat(ring.path("sent").path("heartbeat").asInt()).isPositive();
        assertThat(ring.path("dropped").size()).isEqualTo(7);
        assertThat(ring.path("buffered").isInt()).isTrue();

        String other = processes.keySet().stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
        JsonNode follower = snapshot(other);
        assertThat(follower.path("leader").path("id").asText()).isEqualTo(leader);
        assertThat(follower.path("commands").toString()).isEqualTo("[]");
        assertThat(follower.has("remaining") || follower.has("confirmedInMicros"))
                .isFalse();
        assertThat(follower.path("confirmed").asLong()).isPositive();
        assertThat(ids(follower).get(0)).isEqualTo(other);
        int place = ids(follower).indexOf(leader);
        List<String> turned = IntStream.range(0, 4)
                .mapToObj(i -> ids(follower).get((place + i) % 4))
                .toList();
        assertThat(turned).as("both members list the same ring").isEqualTo(ids(ring));
    }

    @Test
    void a_process_that_resigned_reports_the_reason_for_no_leader() {
        join("a", AdminAccess.LOOPBACK);
        threads.pass(TIMING.heartbeatInterval());
        processes.get("a").candidate().resign(Duration.ofHours(1));
        threads.pass(TIMING.heartbeatInterval());

        JsonNode ring = snapshot("a");
        String sentence = "resigned recently, or its work has not stopped; nobody is known to lead the view of"
                + " this member alone";
        assertThat(ring.path("why").toString())
                .isEqualTo("{\"reason\":\"cooldown\",\"sentence\":\"" + sentence + "\"}");
        assertThat(ring.has("leader")).isFalse();
        assertThat(ring.path("commands").toString()).isEqualTo("[]");
        assertThat(metrics("a"))
                .contains("doyen_ring_members{election=\"orders\"} 1\n")
                .contains("doyen_ring_messages_sent_total{election=\"orders\",kind=\"state\"} 0\n");
        assertThat(ring.has("confirmed")).isFalse();

        ElectionView view = processes.get("a").known().view().orElseThrow();
        assertThat(view.leader()).isEmpty();
        assertThat(view.noLeader().orElseThrow().reason()).isEqualTo(Reason.COOLDOWN);
        assertThat(view.noLeader().orElseThrow().sentence()).isEqualTo(sentence);
    }

    @Test
    void a_process_without_admin_commands_reports_that() {
        join("a", AdminAccess.REFUSED);
        threads.pass(TIMING.heartbeatInterval());

        JsonNode ring = snapshot("a");
        assertThat(ring.path("leader").path("id").asText()).isEqualTo("a");
        assertThat(ring.path("commands").toString()).isEqualTo("[]");
        assertThat(ring.path("algorithm").asText()).isEqualTo("chang_roberts");
        assertThat(ring.path("order").asText()).isEqualTo("oldest");
    }

    @Test
    void many_members_are_listed_in_part_with_the_total() {
        IntStream.range(0, MemberJson.MEMBERS_SHOWN + 3).forEach(i -> join("m" + i, AdminAccess.LOOPBACK));
        threads.pass(TIMING.heartbeatInterval());

        JsonNode view = snapshot("m7").path("view");
        assertThat(view.path("members")).hasSize(MemberJson.MEMBERS_SHOWN);
        assertThat(view.path("membersInAll").asInt()).isEqualTo(MemberJson.MEMBERS_SHOWN + 3);
        assertThat(view.path("members").path(0).path("id").asText()).isEqualTo("m7");
    }

    private void join(String id, AdminAccess adminAccess) {
        RingElectionSettings electionSettings = SampleSettings.ringElection(TIMING.electionTimeout());
        Membership membership = cluster.join(id);
        var contest = new MemberElection(electionSettings);
        var known = new KnownElection("orders", contest::lastHeartbeat, electionSettings.leaderLease(), this::now);
        var settings = contest.settings("orders", 100);
        settings.membership(membership);
        settings.threads(threads);
        RingCandidate candidate = contest.open(settings).join(id);
        candidate.listen(new ElectionListener<RingLeadership>() {
            @Override
            public void leaderChanged(Optional<Leader> leader) {
                known.report(leader);
            }
        });
        known.open(candidate);
        var memberSettings = SampleSettings.memberSettings(
                electionSettings, "test", id, 7800, List.of(), SampleSettings.ANY, adminAccess);
        processes.put(
                id,
                new Shown(
                        membership,
                        contest,
                        known,
                        new MemberJson(memberSettings, contest),
                        new LeadershipLog(LeadershipLog.KEPT),
                        candidate));
    }

    private String metrics(String id) {
        var text = new MetricsText();
        processes.get(id).contest().writeMetrics(text, "orders");
        return text.toString();
    }

    private JsonNode snapshot(String id) {
        Shown shown = processes.get(id);
        String text = shown.json()
                .of(
                        now().toEpochMilli(),
                        shown.known().view(),
                        shown.candidate().explain(),
                        shown.leaderships());
        try {
            return JSON.readTree(text).path("process");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String leader() {
        return processes.entrySet().stream()
                .filter(each -> each.getValue().candidate().isLeader())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> ids(JsonNode ring) {
        return members(ring).map(each -> each.path("id").asText()).toList();
    }

    private static Stream<JsonNode> members(JsonNode ring) {
        return StreamSupport.stream(ring.path("view").path("members").spliterator(), false);
    }

    private Instant now() {
        return Instant.ofEpochMilli(threads.now().wallMillis());
    }
}
