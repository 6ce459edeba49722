package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.JavaProgram;
import dev.doyen.benchmarks.server.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Three candidates of one election, each a process of its own. On an embedded server each of them is a member too.
 *
 * <p>All moments are read by the candidates themselves, from the one clock that the processes of a machine share. So the
 * time that their lines take to this process is in no figure. Threads: one.
 */
final class ThreeCandidates implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

    /** Between the stop of a follower and the hand-over: less than the session or lease of a stopped process has left. */
    private static final Duration STOPPED_BEFORE = Duration.ofMillis(300);

    private final Entrant entrant;
    private final Server server;
    private final List<ParticipantProcess> candidates = new ArrayList<>();

    private ThreeCandidates(Entrant entrant, Server server) {
        this.entrant = entrant;
        this.server = server;
    }

    /** Starts the processes. It does not wait until one of them leads. */
    static ThreeCandidates start(Entrant entrant, Server server) throws IOException {
        var three = new ThreeCandidates(entrant, server);
        try {
            for (int i = 0; i < Server.CANDIDATES; i++) {
                three.candidates.add(three.start(i));
            }
        } catch (IOException e) {
            three.close();
            throw e;
        }
        return three;
    }

    List<ProcessHandle> processes() {
        return candidates.stream().map(ParticipantProcess::handle).toList();
    }

    /** Waits until one leads, and all are candidates; the milliseconds from then until the election. */
    double firstLeader(long startedAt) throws InterruptedException {
        long led = awaitElected(startedAt);
        for (ParticipantProcess each : candidates) {
            double unused = each.await("JOINED", LONGEST);
        }
        return millis(startedAt, led);
    }

    /** Makes the leader leave; the milliseconds until another one leads. After that it is a candidate again. */
    double handOver() throws IOException, InterruptedException {
        ParticipantProcess leader = leader();
        long leftAt = leader.leave();
        double millis = millis(leftAt, awaitElected(leftAt));
        leader.rejoin();
        return millis;
    }

    /**
     * The same while one of the followers is stopped (SIGSTOP).
     *
     * @param follower 0 or 1
     */
    double handOverBesideStopped(int follower) throws IOException, InterruptedException {
        ParticipantProcess leader = leader();
        ParticipantProcess stopped = candidates.stream()
                .filter(each -> !each.equals(leader))
                .skip(follower)
                .findFirst()
                .orElseThrow();
        stopped.freeze();
        try {
            Run.pause(STOPPED_BEFORE);
            return handOver();
        } finally {
            stopped.thaw();
        }
    }

    /** Kills the leader's process (SIGKILL); the milliseconds until another one leads. After that it is started again. */
    double crash() throws IOException, InterruptedException {
        ParticipantProcess leader = leader();
        long killedAt = leader.kill();
        double millis = millis(killedAt, awaitElected(killedAt));
        leader.close();
        int number = candidates.indexOf(leader);
        ParticipantProcess again = start(number);
        candidates.set(number, again);
        double unused = again.await("JOINED", LONGEST);
        return millis;
    }

    @Override
    public void close() {
        candidates.forEach(ParticipantProcess::close);
    }

    private ParticipantProcess start(int number) throws IOException {
        return ParticipantProcess.start(
                entrant, server.url(number), Run.TTL, entrant.key(), 1, "candidate-" + number, JavaProgram.SMALL);
    }

    /** The one that was elected last. */
    private ParticipantProcess leader() {
        return candidates.stream()
                .filter(each -> each.ledAt().isPresent())
                .max(Comparator.comparing(each -> each.ledAt().getAsLong()))
                .orElseThrow();
    }

    /** Waits for the first election after this moment. */
    private long awaitElected(long since) throws InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < LONGEST.toNanos()) {
            OptionalLong led = candidates.stream()
                    .map(ParticipantProcess::ledAt)
                    .flatMapToLong(OptionalLong::stream)
                    .filter(each -> each - since > 0)
                    .min();
            if (led.isPresent()) {
                return led.getAsLong();
            }
            Run.pause(LOOK_AGAIN);
        }
        long alive = candidates.stream().filter(ParticipantProcess::isAlive).count();
        throw new IllegalStateException(entrant.key() + ": none of three candidates, of which " + alive
                + " are alive, was elected within " + LONGEST.toSeconds() + " s");
    }

    private static double millis(long from, long to) {
        return (to - from) / 1e6;
    }
}
