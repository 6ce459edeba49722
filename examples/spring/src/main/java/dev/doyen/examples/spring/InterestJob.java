package dev.doyen.examples.spring;

import dev.doyen.spring.CurrentLeadership;
import dev.doyen.spring.LeaderOnly;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Pays interest for each period that is over. The schedule runs on every instance, the job only on the leader. */
@Component
public class InterestJob {

    private static final Logger LOG = LoggerFactory.getLogger(InterestJob.class);

    private final Ledger ledger;
    private final Duration period;
    private final String me;

    InterestJob(
            Ledger ledger, @Value("${interest.period}") Duration period, @Value("${doyen.candidate-id}") String me) {
        this.ledger = ledger;
        this.period = period;
        this.me = me;
    }

    /** Pays all periods since the last paid period, including periods without a leader. */
    @Scheduled(fixedRateString = "${interest.period}", initialDelayString = "${interest.period}")
    @LeaderOnly("interest")
    public void payWhatIsDue() {
        long term = CurrentLeadership.term();
        long paid = ledger.goOn(term);
        while (CurrentLeadership.isCertain() && paid < ledger.due(period)) {
            // If the process freezes here, another leader can pay meanwhile. The term prevents a second payment.
            paid++;
            ledger.pay(paid, term, me);
            LOG.info("period {} paid in term {}", paid, term);
        }
    }
}
