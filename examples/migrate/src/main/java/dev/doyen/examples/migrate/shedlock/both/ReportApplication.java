package dev.doyen.examples.migrate.shedlock.both;

import dev.doyen.examples.migrate.Report;
import dev.doyen.spring.LeaderOnly;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Writes a report at night, if this instance leads and holds the lock. */
@SpringBootApplication
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "10m")
public class ReportApplication {

    private final Report report;

    public ReportApplication(Report report) {
        this.report = report;
    }

    @Bean
    static LockProvider lockProvider(DataSource dataSource) {
        return new JdbcTemplateLockProvider(dataSource);
    }

    @Scheduled(cron = "${report.cron}")
    @LeaderOnly("report")
    @SchedulerLock(name = "report", lockAtMostFor = "${report.at-most}", lockAtLeastFor = "${report.at-least}")
    public void report() {
        report.write();
    }
}
