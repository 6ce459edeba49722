package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.MembershipContest;
import dev.doyen.driver.MembershipLoop;
import dev.doyen.driver.PromiseFile;
import dev.doyen.driver.RingContest;
import dev.doyen.driver.RingTally;
import dev.doyen.membership.Membership;
import dev.doyen.ring.Electorate;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingSettings;
import dev.doyen.ring.RingTiming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingLoopTest extends MembershipLoopTest {

    private static final RingSettings SETTINGS =
            new RingSettings(RingAlgorithm.CHANG_ROBERTS, RingTiming.ofFollow(Duration.ofSeconds(1)), 100, true);

    @Override
    MembershipContest contest(Membership membership, ManualThreads threads) {
        return new RingContest(SETTINGS, membership.me(), new RingTally());
    }

    @Override
    String topic() {
        return "ring/orders";
    }

    @Test
    void what_was_sent_is_counted() {
        leadingWithAnother();
        pass(1_000);
        RingTally tally = ((RingContest) a.contest).tally();
        assertThat(tally.lapsSent()).isPositive();
        assertThat(tally.contestSent()).isPositive();
    }

    @Test
    void what_a_member_sent_that_is_put_out_is_not_read() {
        leadingWithAnother();
        cluster.join("c").send(a.membership.me(), topic(), new byte[] {7});
        pass(10);
        assertThat(a.loop.tally().notRead()).isZero();
    }

    @Test
    void a_disk_that_fails_is_complained_of_once_and_its_recovery_is_said(@TempDir Path folder) throws IOException {
        var lines = new ArrayList<String>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getMessage().contains("election=promises")) {
                    lines.add(line.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.doyen");
        logger.addHandler(handler);
        try {
            Membership voter = new FakeCluster(threads).join("v");
            var contest = new RingContest(
                    SETTINGS.withElectorate(Electorate.of(List.of("v"))),
                    voter.me(),
                    Optional.of(new PromiseFile(folder.resolve("p"), "promises", "v")),
                    threads.now(),
                    new RingTally());
            var loop = new MembershipLoop(threads, "promises", voter, contest, event -> {});
            Path inTheWay = Files.createDirectories(folder.resolve(".p.new/full"));
            loop.start();
            loop.stand();
            pass(20_000);
            assertThat(loop.leading()).isEmpty();
            assertThat(lines)
                    .filteredOn(line -> line.contains("see to the disk"))
                    .hasSize(1);
            Files.delete(inTheWay);
            pass(3_000);
            assertThat(loop.leading()).isPresent();
            assertThat(lines).filteredOn(line -> line.contains("kept again")).hasSize(1);
        } finally {
            logger.removeHandler(handler);
        }
    }
}
