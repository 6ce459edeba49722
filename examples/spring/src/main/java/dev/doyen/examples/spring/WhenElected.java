package dev.doyen.examples.spring;

import dev.doyen.Leadership;
import dev.doyen.spring.OnElected;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** A new leader does not wait for the next time on its schedule: the last one may have died half way. */
@Component
class WhenElected {

    private static final Logger LOG = LoggerFactory.getLogger(WhenElected.class);

    private final InterestJob job;

    WhenElected(InterestJob job) {
        this.job = job;
    }

    @OnElected("interest")
    void goOn(Leadership leadership) {
        LOG.info("leads in term {}", leadership.term());
        // Runs once at a time: if the schedule was faster, this does nothing.
        job.payWhatIsDue();
    }
}
