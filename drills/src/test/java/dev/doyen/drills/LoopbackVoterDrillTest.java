package dev.doyen.drills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.ring.RingTiming;
import dev.doyen.testkit.HeldPorts;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The drills of voters on loopback, without a secret: what befalls processes and their files. */
class LoopbackVoterDrillTest extends VoterDrill {

    /** So that a leader is certain for longer than the others take to put it out. */
    private static final Duration LONG_FOLLOW = Duration.ofSeconds(12);

    /** Without voters they would have a leader after this. */
    private static final Duration ELECTED_BY_THEN = Duration.ofMillis(300);

    private final HeldPorts ports = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    static List<Integer> sizes() {
        return sizes(3);
    }

    @AfterEach
    void release() {
        ports.close();
    }

    @Override
    VoterRing.Ground ground(int size) {
        List<Integer> taken = ports.take(size);
        return new VoterRing.Ground() {
            @Override
            public List<String> addresses() {
                return taken.stream().map(port -> "127.0.0.1:" + port).toList();
            }

            @Override
            public List<String> prefix(int place) {
                ports.release(taken.get(place));
                return List.of();
            }

            @Override
            public String secret() {
                return "";
            }
        };
    }

    @Override
    String where() {
        return "on loopback";
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void a_leader_that_is_killed_or_closes_or_stands_still_is_followed_by_one_that_leads_alone(int size) // V1, V2
            throws Exception {
        VoterRing ring = ring(size);
        for (int round = 0; round < RingDrill.ROUNDS; round++) {
            String killed = ring.settled();
            var from = new Instants();
            ring.kill(killed);
            followed(ring, "SIGKILL", killed, ring.idsBut(killed), from.nanos, from.micros);
            ring.start(killed);

            String closed = ring.settled();
            from = new Instants();
            ring.leave(closed);
            followed(ring, "close", closed, ring.idsBut(closed), from.nanos, from.micros);
            ring.start(closed);

            String stopped = ring.settled();
            RingProcess sleeper = ring.process(stopped);
            sleeper.say(RingMember.RESTLESS);
            ring.agreed();
            from = new Instants();
            sleeper.stop();
            String next = followed(ring, "SIGSTOP", stopped, ring.idsBut(stopped), from.nanos, from.micros);
            var back = new Instants();
            sleeper.goOn();
            var all = ring.sayings.awaitAgreement(ring.ids(), next::equals);
            RingDrill.Span span = RingDrill.Span.of(back.micros, all.values());
            note("SIGCONT: until the view of all is at all", span.view());
            note("SIGCONT: from then until all name the leader", span.names());
            sleeper.say(RingMember.RESTING);
            assertThat(ring.sayings.claims().of(stopped, back.nanos)).isEmpty(); // R8
        }
        holds(ring);
        say(ring);
    }

    /** The others have put it out when it goes on, and it does not know yet: so they must have waited for it. */
    @Test
    void a_leader_that_stands_still_for_less_than_its_lease_is_alone_when_it_goes_on() throws Exception { // Q5, V1
        VoterRing ring = ring(3, RingTiming.ofFollow(LONG_FOLLOW));
        for (int round = 0; round < RingDrill.ROUNDS; round++) {
            String leader = ring.settled();
            Set<String> others = ring.idsBut(leader);
            ring.process(leader).stop();
            ring.sayings.awaitView(others);
            ring.sayings.awaitWord(others, RingMember.micros() + ELECTED_BY_THEN.toNanos() / 1000);
            var back = new Instants();
            ring.process(leader).goOn();
            // What it is certain of then is seen, if it is: the look after a stop is the first thing it does.
            ring.agreed();
            boolean wasCertain = !ring.sayings.claims().of(leader, back.nanos).isEmpty();
            note("stopped for less than its lease: certain when it went on, 1 for yes:", wasCertain ? 1 : 0);
        }
        holds(ring);
        say(ring);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void all_that_are_killed_and_begin_anew_remember_what_they_promised(int size) throws Exception { // Q4, Q5
        VoterRing ring = ring(size);
        for (int round = 0; round < RingDrill.ROUNDS; round++) {
            String last = ring.agreed();
            long term = ring.sayings.of(last).leader().term();
            ring.killAll();
            var from = new Instants();
            ring.startAll();
            String next = ring.agreed();
            assertThat(ring.sayings.of(next).leader().term()).isGreaterThan(term);
            long voting =
                    ring.begunBy(ring.quorum(), from.nanos) + TIMING.hold().toNanos();
            long first = ring.sayings.claims().firstAfter(from.nanos).orElseThrow();
            assertThat(first - voting).as("ns since a quorum may vote").isPositive();
            note("all killed: a leader, after a quorum may vote", (first - voting) / 1_000_000);
        }
        holds(ring);
        say(ring);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void a_file_of_promises_is_one_process_own_and_when_one_is_lost_the_others_remember(int size) throws Exception {
        VoterRing ring = ring(size);
        String leader = ring.agreed();
        var before = ring.sayings.of(leader);
        int spare = ports.take(1).get(0);
        ports.release(spare);
        try (RingProcess twin = ring.startTwin(leader, "127.0.0.1:" + spare)) {
            assertThat(twin.awaitEnd()).isNotZero();
        }
        assertThat(ring.sayings.of(leader).view()).isEqualTo(before.view());
        assertThat(ring.sayings.of(leader).leader()).isEqualTo(before.leader());

        for (int round = 0; round < RingDrill.ROUNDS; round++) {
            String old = ring.settled();
            String forgetful = ring.idsBut(old).iterator().next();
            ring.kill(forgetful);
            ring.losePromises(forgetful);
            ring.start(forgetful);
            ring.settled();
            var from = new Instants();
            ring.kill(old);
            followed(ring, "SIGKILL after a file was lost", old, ring.idsBut(old), from.nanos, from.micros);
            ring.start(old);
        }
        holds(ring);
        say(ring);
    }

    /** What is not promised; and that these drills would see it. */
    @Test
    void when_all_files_are_lost_numbers_are_used_again_and_still_there_are_never_two()
            throws Exception { // V1 without V2
        for (String id : List.of("v0", "v1", "v2")) {
            Files.writeString(folder.resolve(id), """
                    doyen promise 1
                    election: drill
                    voter: %s
                    term: 1000
                    member: v0
                    incarnation: gone
                    """.formatted(id));
        }
        VoterRing ring = ring(3);
        assertThat(ring.sayings.claims().all()).allMatch(claim -> claim.term() > 1000);
        ring.killAll();
        for (String id : ring.ids()) {
            ring.losePromises(id);
        }
        ring.startAll();
        ring.agreed();
        assertThat(ring.sayings.claims().overlaps()).isEmpty();
        assertThat(ring.sayings.claims().faults()).isNotEmpty();
    }
}
