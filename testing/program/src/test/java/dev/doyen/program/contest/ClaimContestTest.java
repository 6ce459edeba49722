package dev.doyen.program.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs seeded contests for leadership on a hub process. The test kills the process and restarts it with the same
 * leases.
 *
 * <p>In a contest, several clients claim the leadership of one channel. Many contests run at the same time, each on its
 * own channel, over real sockets. {@link Ledger} checks that the hub grants no term twice, and that the publishes of
 * two leaders never interleave. The seed determines the random choices but not their timing. So a failing seed does not
 * always fail again.
 *
 * <p>{@code -Dclaims.runs=10000} starts a long test of 10000 runs. {@code -Dclaims.seed=N} sets the first seed
 * (docs/spec/claims.md).
 */
@Tag("long")
class ClaimContestTest {

    private static final int RUNS = Integer.getInteger("claims.runs", 100);
    private static final long SEED = Long.getLong("claims.seed", 20_261_122L);

    /**
     * The number of contests at a time. Each contest has one lease. The file store can renew this number of leases in
     * time on a slow disk, and 250 leases in a memory file system.
     */
    private static final int SIDE_BY_SIDE = Integer.getInteger("claims.beside", 100);

    /**
     * The minimum time from a restart of the hub to the next kill. A random time up to {@link #LONGER_MILLIS} is added.
     */
    private static final int UP_MILLIS = 4_000;

    /** The maximum number of runs if too few events happen in the first runs. */
    private static final int MAX_RUNS = 8 * RUNS;

    private static final int STEPS = 120;

    private static final int LONGER_MILLIS = 6_000;
    private static final int PATIENCE_SECONDS = 600;

    @TempDir
    private Path folder;

    private final Tally tally = new Tally();

    @Test
    void no_term_is_reused_and_leaders_do_not_alternate() throws Exception {
        var random = new Random(SEED);
        var sockets = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (var hub = new HubProcess(folder, "", List.of())) {
            hub.awaitServing();
            int batch = Math.min(RUNS, SIDE_BY_SIDE);
            for (int first = 0; first < RUNS || (first < MAX_RUNS && !hasMuchHappened()); first += batch) {
                var contests = new ArrayList<Contest>();
                for (int run = first; run < first + batch; run++) {
                    contests.add(new Contest(SEED + run, sockets.next(), List.of(hub), STEPS, tally));
                }
                play(contests, hub, sockets, random);
            }
        } finally {
            sockets.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }

        System.out.println(tally);
        assertThat(tally.runs).isGreaterThanOrEqualTo(RUNS);
        assertThat(hasMuchHappened())
                .as("enough events of each kind happened: " + tally)
                .isTrue();
    }

    /**
     * Returns true if enough events of each kind happened, or if the test has few runs.
     *
     * <p>A run has a fixed number of steps. On a busy machine the hub grants fewer claims during these steps, so the
     * test adds runs.
     */
    private boolean hasMuchHappened() {
        return RUNS < SIDE_BY_SIDE
                || (tally.terms > RUNS
                        && tally.accepted > RUNS
                        && tally.refused > RUNS / 2
                        && tally.cuts > RUNS / 2
                        && tally.thawedTooLate > 0
                        && tally.resumed > RUNS / 4
                        && tally.reentries > RUNS / 4
                        && tally.struck > RUNS / 4);
    }

    /** Runs the contests until all have ended. Kills the hub once or twice, unless the contests end earlier. */
    private void play(List<Contest> contests, HubProcess hub, MultiThreadIoEventLoopGroup sockets, Random random)
            throws Exception {
        var loop = sockets.next();
        var done = CompletableFuture.allOf(contests.stream().map(Contest::done).toArray(CompletableFuture<?>[]::new));
        loop.execute(() -> contests.forEach(Contest::start));
        // The first kill occurs in the middle of the contests.
        CompletableFuture.anyOf(done, contests.get(0).marked()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        int up = 0;
        for (int kills = 1 + random.nextInt(2); kills > 0 && !over(done, up); kills--) {
            tally.kills++;
            loop.submit(() -> contests.forEach(Contest::isStruck)).sync();
            hub.kill();
            hub.startAgain();
            hub.awaitServing();
            up = UP_MILLIS + random.nextInt(LONGER_MILLIS);
        }
        done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        for (Contest contest : contests) {
            tally.add(contest.done().join());
        }
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
