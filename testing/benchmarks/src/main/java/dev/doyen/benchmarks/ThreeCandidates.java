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
 * Three candidates of one election. Each candidate is a separate process. With an embedded server, each process is also
 * a member of that server.
 *
 * <p>Each candidate reports the times of its election and of its departure, by the clock that all processes of a
 * machine share. So the results do not contain the time until the lines of the candidates arrive at this process.
 * Threads: one.
 */
final class ThreeCandidates implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    /**
     * The time between the freeze of a follower and the handover. The time is so short that the session or lease of the
     * frozen process has not expired at the handover.
     */
    private static final Duration STOPPED_BEFORE = Duration.ofMillis(300);

    private final Entrant entrant;
    private final Server server;
    private final List<ParticipantProcess> candidates = new ArrayList<>();

    private ThreeCandidates(Entrant entrant, Server server) {
        this.entrant = entrant;
        this.server = server;
    }

    /** Starts the processes. The method does not wait for a leader. */
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

    /**
     * Waits until all processes are candidates and one of them leads. Returns the milliseconds from {@code startedAt}
     * to the election of the leader.
     */
    double firstLeader(long startedAt) throws InterruptedException {
        long led = awaitElected(startedAt);
        for (ParticipantProcess each : candidates) {
            double unused = each.await("JOINED", LONGEST);
        }
        return millis(startedAt, led);
    }

    /**
     * Makes the leader leave, and returns the milliseconds until another candidate leads. Afterwards the old leader
     * becomes a candidate again.
     */
    double handOver() throws IOException, InterruptedException {
        ParticipantProcess leader = leader();
        long leftAt = leader.leave();
        double millis = millis(leftAt, awaitElected(leftAt));
        leader.rejoin();
        return millis;
    }

    /**
     * Measures a {@link #handOver} while one of the followers is frozen (SIGSTOP).
     *
     * @param follower the number of the follower, 0 or 1
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

    /**
     * Kills the leader (SIGKILL), and returns the milliseconds until another candidate leads. Afterwards the killed
     * process is started again.
     */
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

    /** Returns the candidate that was elected last. */
    private ParticipantProcess leader() {
        return candidates.stream()
                .filter(each -> each.ledAt().isPresent())
                .max(Comparator.comparingLong(each -> each.ledAt().getAsLong()))
                .orElseThrow();
    }

    /** Waits until a candidate is elected after {@code since}. Returns the time of the election. */
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
            Run.pause(POLL_INTERVAL);
        }
        long alive = candidates.stream().filter(ParticipantProcess::isAlive).count();
        throw new IllegalStateException(entrant.key() + ": none of three candidates, of which " + alive
                + " are alive, was elected within " + LONGEST.toSeconds() + " s");
    }

    private static double millis(long from, long to) {
        return (to - from) / 1e6;
    }
}
