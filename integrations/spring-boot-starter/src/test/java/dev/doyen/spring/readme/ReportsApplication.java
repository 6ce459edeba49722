package dev.doyen.spring.readme;

import dev.doyen.spring.CurrentLeadership;
import dev.doyen.spring.LeaderOnly;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

@SpringBootApplication
@EnableScheduling
public class ReportsApplication {
    @Scheduled(fixedDelay = 100)
    @LeaderOnly("reports")
    public void report() {
        System.out.println("a report in term " + CurrentLeadership.term());
    }

    public static void main(String[] args) {
        SpringApplication.run(ReportsApplication.class, args);
    }
}
