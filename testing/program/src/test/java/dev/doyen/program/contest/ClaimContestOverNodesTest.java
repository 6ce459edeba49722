package dev.doyen.program.contest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.nodes.RedisServers;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the contests of {@link ClaimContestTest} on two or three nodes of one hub, each in its own process.
 *
 * <p>The nodes share a Redis, which also stores the leases. The test kills one or two nodes at a time and starts them
 * again. The test also freezes nodes, often for so long that the other nodes declare them dead. After the freeze, a
 * node continues with its remaining clients.
 *
 * <p>{@code -Dclaims.runs=10000} starts a long test of 10000 runs, and {@code -Dclaims.seed=N} sets the first seed.
 * {@code -Dclaims.nodes=N} sets the number of nodes; the default is two or three nodes at random (docs/spec/claims.md).
 */
class ClaimContestOverNodesTest {

    private static final int RUNS = Integer.getInteger("claims.runs", 60);
    private static final long SEED = Long.getLong("claims.seed", 20_261_122L);
    private static final int NODES = Integer.getInteger("claims.nodes", 0);
    private static final int SIDE_BY_SIDE = Integer.getInteger("claims.beside", 60);
    private static final int STEPS = 100;

    /**
     * The times of silence after which the other nodes declare a node dead. The times are shorter than, equal to and
     * longer than {@link HubProcess#CLAIM_TTL_MILLIS}.
     */
    private static final List<Integer> NODE_TTLS_MILLIS = List.of(1_000, 2_000, 4_000);

    private static final int BETWEEN_BLOWS_MILLIS = 1_500;
    private static final int PATIENCE_SECONDS = 600;

    @TempDir
    private Path folder;

    private final Tally tally = new Tally();
    private final Random random = new Random(SEED);

    @Test
    void no_term_is_reused_and_leaders_do_not_alternate_under_node_faults() throws Exception {
        RedisServers.assumeInstalled();
        var sockets = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            for (int first = 0; first < RUNS; first += SIDE_BY_SIDE) {
                Path here = Files.createDirectory(folder.resolve("from-" + first));
                try (var nodes = new HubNodes(here, NODES == 0 ? 2 + random.nextInt(2) : NODES, nodeTtl())) {
                    var contests = new ArrayList<Contest>();
                    for (int run = first; run < Math.min(RUNS, first + SIDE_BY_SIDE); run++) {
                        contests.add(new Contest(SEED + run, sockets.next(), nodes.all(), STEPS, tally));
                    }
                    playAndReport(contests, nodes, sockets);
                }
                if (RUNS > SIDE_BY_SIDE) {
                    System.out.println(tally);
                }
            }
        } finally {
            sockets.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }

        System.out.println(tally);
        assertThat(tally.runs).isEqualTo(RUNS);
        if (RUNS >= SIDE_BY_SIDE) {
            checkThatMuchHappened();
        }
    }

    private int nodeTtl() {
        return NODE_TTLS_MILLIS.get(random.nextInt(NODE_TTLS_MILLIS.size()));
    }

    private void checkThatMuchHappened() {
        assertThat(tally.terms).as("the runs have enough terms").isGreaterThan(RUNS);
        assertThat(tally.accepted).isGreaterThan(2L * RUNS);
        assertThat(tally.refused).isGreaterThan(RUNS);
        assertThat(tally.cuts).isGreaterThan(RUNS / 2);
        assertThat(tally.moved).isGreaterThan(RUNS / 4);
        assertThat(tally.reentries).isGreaterThan(RUNS / 4);
        assertThat(tally.struck).isGreaterThan(RUNS / 2);
        assertThat(tally.kills + tally.frozenNodes).isPositive();
        // A short test can lack one of the two kinds of fault. The test chooses the first kind at random, and on a
        // fast machine the contests can end before the second fault.
        if (RUNS >= 10 * SIDE_BY_SIDE) {
            assertThat(tally.kills).isPositive();
            assertThat(tally.frozenNodes).isPositive();
        }
    }

    private void playAndReport(List<Contest> contests, HubNodes nodes, MultiThreadIoEventLoopGroup sockets)
            throws Exception {
        try {
            play(contests, nodes, sockets);
        } catch (ExecutionException e) {
            var output = new StringBuilder();
            for (HubProcess each : nodes.all()) {
                output.append("\nThe node at ")
                        .append(each.address())
                        .append(" said:\n")
                        .append(each.lastLogLines());
            }
            throw new AssertionError(e.getCause().getMessage() + output, e);
        }
    }

    /** Runs the contests until all have ended, and injects faults during the runs. */
    private void play(List<Contest> contests, HubNodes nodes, MultiThreadIoEventLoopGroup sockets) throws Exception {
        var loop = sockets.next();
        var done = CompletableFuture.allOf(contests.stream().map(Contest::done).toArray(CompletableFuture<?>[]::new));
        loop.execute(() -> contests.forEach(Contest::start));
        // The first fault occurs in the middle of the contests.
        CompletableFuture.anyOf(done, contests.get(0).marked()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        // Unless the contests end earlier, the test injects at least one kill and one freeze, in either order.
        boolean freezes = random.nextBoolean();
        for (int blows = 2 + random.nextInt(3); blows > 0 && !done.isDone(); blows--) {
            loop.submit(() -> contests.forEach(Contest::isStruck)).sync();
            if (freezes) {
                freeze(nodes, done);
            } else {
                kill(nodes, done);
            }
            freezes = blows == 1 ? random.nextBoolean() : !freezes;
            over(done, random.nextInt(BETWEEN_BLOWS_MILLIS));
        }
        done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        for (Contest contest : contests) {
            tally.add(contest.done().join());
        }
    }

    /** Kills one or two nodes, and starts them again later. */
    private void kill(HubNodes nodes, CompletableFuture<Void> done) throws Exception {
        List<HubProcess> killed = nodes.some(random, random.nextInt(3) == 0 ? 2 : 1);
        tally.kills += killed.size();
        for (HubProcess each : killed) {
            each.kill();
        }
        over(done, random.nextInt(BETWEEN_BLOWS_MILLIS));
        HubNodes.startAgain(killed);
    }

    /**
     * Freezes a node. The freeze lasts until the other nodes declare it dead, or only until its leases have expired.
     *
     * <p>In the second case the node can remain a node of the hub, but its clients must not lead under the expired
     * leases.
     */
    private void freeze(HubNodes nodes, CompletableFuture<Void> done) throws Exception {
        HubProcess frozen = nodes.some(random, 1).get(0);
        tally.frozenNodes++;
        frozen.freeze();
        int atLeast = random.nextBoolean() ? nodes.ttlMillis() : HubProcess.CLAIM_TTL_MILLIS;
        over(done, atLeast + random.nextInt(BETWEEN_BLOWS_MILLIS));
        frozen.thaw();
    }

    private static boolean over(CompletableFuture<Void> done, int millis) throws Exception {
        try {
            done.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
