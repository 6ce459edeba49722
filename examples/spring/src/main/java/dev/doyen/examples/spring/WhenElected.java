package dev.doyen.examples.spring;

import dev.doyen.LeaseLeadership;
import dev.doyen.spring.OnElected;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Lets a new leader pay at once, because the previous leader may have died halfway. */
@Component
class WhenElected {

    private static final Logger LOG = LoggerFactory.getLogger(WhenElected.class);

    private final InterestJob job;

    WhenElected(InterestJob job) {
        this.job = job;
    }

    @OnElected("interest")
    void goOn(LeaseLeadership leadership) {
        LOG.info("leads in term {}", leadership.term());
        // Runs once at a time. If the schedule was faster, this does nothing.
        job.payWhatIsDue();
    }
}
