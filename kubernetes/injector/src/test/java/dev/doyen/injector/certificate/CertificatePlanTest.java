package dev.doyen.injector.certificate;

import static dev.doyen.injector.certificate.CertificatePlan.Step.ANNOUNCE;
import static dev.doyen.injector.certificate.CertificatePlan.Step.MAKE;
import static dev.doyen.injector.certificate.CertificatePlan.Step.REST;
import static dev.doyen.injector.certificate.CertificatePlan.Step.SHOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.injector.driver.CertificateMaker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CertificatePlanTest {

    private static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    private static final Duration LIFE = Duration.ofDays(90);

    private final CertificatePlan plan = new CertificatePlan(LIFE);
    private final CertificateMaker maker = new CertificateMaker(List.of("localhost"), LIFE);
    private final ServingCertificate first = maker.make(START, Optional.empty());
    private final ServingCertificate second = maker.make(START.plus(Duration.ofDays(60)), Optional.of(first));

    @Test
    void the_first_certificate_is_created_announced_and_served() {
        assertThat(plan.next(START, Optional.empty(), "", Optional.empty())).isEqualTo(MAKE);
        assertThat(plan.next(START, Optional.of(first), "", Optional.empty())).isEqualTo(ANNOUNCE);
        assertThat(plan.next(START, Optional.of(first), first.authorities(), Optional.empty()))
                .isEqualTo(SHOW);
        assertThat(plan.next(START, Optional.of(first), first.authorities(), Optional.of(first)))
                .isEqualTo(REST);
    }

    @Test
    void the_next_certificate_is_created_after_two_thirds_of_the_validity() {
        var due = START.plus(Duration.ofDays(60));
        assertThat(plan.next(due.minusSeconds(1), Optional.of(first), first.authorities(), Optional.of(first)))
                .isEqualTo(REST);
        assertThat(plan.next(due, Optional.of(first), first.authorities(), Optional.of(first)))
                .isEqualTo(MAKE);
    }

    @Test
    void a_certificate_of_another_replica_is_announced_before_it_is_served() {
        var now = START.plus(Duration.ofDays(60));
        assertThat(plan.next(now, Optional.of(second), first.authorities(), Optional.of(first)))
                .isEqualTo(ANNOUNCE);
        assertThat(plan.next(now, Optional.of(second), second.authorities(), Optional.of(first)))
                .isEqualTo(SHOW);
    }

    @Test
    void the_announcement_is_waited_for_only_while_a_valid_certificate_is_served() {
        assertThat(plan.mustNotWait(START, Optional.empty())).isTrue();
        assertThat(plan.mustNotWait(START, Optional.of(first))).isFalse();
        assertThat(plan.mustNotWait(START.plus(LIFE), Optional.of(first))).isTrue();
    }

    @Test
    void the_previous_authority_stays_trusted_and_earlier_ones_do_not() {
        var third = maker.make(START, Optional.of(second));
        assertThat(second.authorities()).endsWith(first.authorities());
        assertThat(third.authorities()).endsWith(second.newestAuthority()).doesNotContain(first.authorities());
    }

    @Test
    void the_private_key_is_not_printed() {
        assertThat(first).hasToString("ServingCertificate[until 2027-02-19T00:00:00Z]");
    }
}
