package dev.doyen.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.Leadership;
import dev.doyen.spring.LeaderElections;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests the migration from ShedLock with a database.
 *
 * <p>The schedule is disabled. The tests call the scheduled method as the scheduler would.
 */
@Timeout(300)
class ShedLockTest {

    private static final String TABLE = """
            CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP NOT NULL,
            locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)""";

    private final Shifts shifts = new Shifts();
    private final List<String> written = Collections.synchronizedList(new ArrayList<>());
    private Applications applications;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void a_migration_through_both_and_back_never_has_two_writers(long seed) throws Exception {
        applications = new Applications("shedlock-" + seed, TABLE);
        new Changeover(shifts, seed)
                .run(this::oldRelease, this::bothReleases, this::newRelease, this::bothReleases, this::oldRelease);
        assertThat(shifts.overlaps()).isEmpty();
    }

    @Test
    void a_direct_migration_has_two_writers() throws Exception {
        applications = new Applications("shedlock-straight", TABLE);
        var mayEnd = new CompletableFuture<Void>();
        try (var old = before("old", shifts.report("old", mayEnd::join), "PT0S");
                var later = after("new", shifts.report("new"))) {
            awaitLeader(later);
            var oldJob = CompletableFuture.runAsync(
                    () -> old.getBean(dev.doyen.examples.migrate.shedlock.before.ReportApplication.class)
                            .report());
            shifts.awaitAtWork("old");
            later.getBean(dev.doyen.examples.migrate.shedlock.after.ReportApplication.class)
                    .report();
            mayEnd.complete(null);
            oldJob.get(30, TimeUnit.SECONDS);
        }
        assertThat(shifts.overlaps()).containsExactly("new began while [old] worked");
    }

    /**
     * If a follower took the lock, the leader would not get it and could miss a run. If the lock also has
     * lockAtLeastFor, the leader could miss every run.
     */
    @Test
    void with_both_a_follower_does_not_take_the_lock() throws Exception {
        applications = new Applications("shedlock-follower", TABLE);
        try (var follower = both("follower", new Once("today"), "--doyen.enabled=false")) {
            follower.getBean(dev.doyen.examples.migrate.shedlock.both.ReportApplication.class)
                    .report();
        }
        assertThat(written).isEmpty();
        assertThat(applications.count("shedlock")).isZero();
    }

    @Test
    void a_finished_run_is_not_repeated_within_lock_at_least_for() throws Exception {
        applications = new Applications("shedlock-least", TABLE);
        try (var first = before("first", new Once("today"), "PT5M");
                var second = before("second", new Once("today"), "PT5M")) {
            for (var each : List.of(first, second)) {
                each.getBean(dev.doyen.examples.migrate.shedlock.before.ReportApplication.class)
                        .report();
            }
        }
        assertThat(written).containsExactly("today");
    }

    @Test
    void a_finished_run_is_not_repeated_by_the_next_leader() throws Exception {
        applications = new Applications("shedlock-state", TABLE);
        try (var first = after("first", new Once("today"))) {
            awaitLeader(first);
            first.getBean(dev.doyen.examples.migrate.shedlock.after.ReportApplication.class)
                    .report();
        }
        for (String due : List.of("today", "tomorrow")) {
            try (var next = after("next", new Once(due))) {
                awaitLeader(next);
                next.getBean(dev.doyen.examples.migrate.shedlock.after.ReportApplication.class)
                        .report();
            }
        }
        assertThat(written).containsExactly("today", "tomorrow");
    }

    private AutoCloseable oldRelease(String id) {
        var application = before(id, shifts.report(id), "PT0S");
        var bean = application.getBean(dev.doyen.examples.migrate.shedlock.before.ReportApplication.class);
        return new AlwaysDue(application, bean::report);
    }

    private AutoCloseable bothReleases(String id) {
        var application = both(id, shifts.report(id), "--doyen.enabled=true");
        var bean = application.getBean(dev.doyen.examples.migrate.shedlock.both.ReportApplication.class);
        return new AlwaysDue(application, bean::report);
    }

    private AutoCloseable newRelease(String id) {
        var application = after(id, shifts.report(id));
        var bean = application.getBean(dev.doyen.examples.migrate.shedlock.after.ReportApplication.class);
        return new AlwaysDue(application, bean::report);
    }

    private ConfigurableApplicationContext before(String id, Report report, String atLeast) {
        return start(
                dev.doyen.examples.migrate.shedlock.before.ReportApplication.class,
                id,
                report,
                atLeast,
                "--doyen.enabled=false");
    }

    private ConfigurableApplicationContext both(String id, Report report, String setting) {
        return start(dev.doyen.examples.migrate.shedlock.both.ReportApplication.class, id, report, "PT0S", setting);
    }

    private ConfigurableApplicationContext after(String id, Report report) {
        return start(
                dev.doyen.examples.migrate.shedlock.after.ReportApplication.class,
                id,
                report,
                "PT0S",
                "--doyen.enabled=true");
    }

    private ConfigurableApplicationContext start(
            Class<?> application, String id, Report report, String atLeast, String setting) {
        return applications.start(
                application,
                id,
                report,
                setting,
                "--report.cron=-",
                "--report.at-most=PT10M",
                "--report.at-least=" + atLeast,
                "--doyen.store=datasource:",
                "--doyen.elections.report.ttl=10s");
    }

    private static void awaitLeader(ConfigurableApplicationContext application) throws Exception {
        var leads = new CountDownLatch(1);
        var candidate =
                application.getBean(LeaderElections.class).candidate("report").orElseThrow();
        try (var listening = candidate.listen(new ElectionListener<Leadership>() {
            @Override
            public void elected(Leadership leadership) {
                leads.countDown();
            }
        })) {
            assertThat(leads.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A report whose next run is always {@code due}. Each call of {@code write} adds this run to {@code written}. */
    private final class Once implements Report {
        private final String due;

        Once(String due) {
            this.due = due;
        }

        @Override
        public String due() {
            return due;
        }

        @Override
        public void write() {
            written.add(due);
        }

        @Override
        public void write(long term) {
            write();
        }
    }
}
