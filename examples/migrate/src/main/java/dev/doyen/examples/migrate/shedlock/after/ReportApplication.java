package dev.doyen.examples.migrate.shedlock.after;

import dev.doyen.LeaseLeadership;
import dev.doyen.event.SavedState;
import dev.doyen.examples.migrate.Report;
import dev.doyen.spring.CurrentLeadership;
import dev.doyen.spring.LeaderOnly;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Writes a report at night, on the leader. */
@SpringBootApplication
@EnableScheduling
public class ReportApplication {

    private final Report report;

    public ReportApplication(Report report) {
        this.report = report;
    }

    @Scheduled(cron = "${report.cron}")
    @LeaderOnly("report")
    public void report() throws InterruptedException {
        LeaseLeadership leadership = CurrentLeadership.lease();
        String due = report.due();
        if (leadership.state().text().equals(due)) {
            return; // Written by the previous leader, whose clock is ahead. Replaces lockAtLeastFor.
        }
        report.write(leadership.term());
        leadership.save(SavedState.ofText(due));
    }
}
