package dev.doyen.examples.spring;

import dev.doyen.LeaseLeadership;
import dev.doyen.spring.OnElected;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Makes a new leader pay at once.
 *
 * <p>The previous leader may have ended before it had paid all periods.
 */
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
        // If the schedule runs the job at this time, this call has no effect.
        job.payWhatIsDue();
    }
}
