package dev.doyen.injector.certificate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What to do next about the webhook's certificates.
 *
 * <table><caption>Asked at each beat, by each replica; the first row that applies</caption>
 * <tr><td>nothing good is stored, or two thirds of its life are over</td><td>make another, store it if nobody else did</td></tr>
 * <tr><td>the API server is not told of the stored one's authority</td><td>tell it</td></tr>
 * <tr><td>another one is shown than the stored one</td><td>show the stored one</td></tr>
 * </table>
 *
 * <p>A new certificate is shown one beat after its authority was announced, so that API servers have heard of it; until
 * then the one before is good, and its authority stays announced beside the new one. No replica leads: that two make one
 * at the same time is settled by compare-and-set in the Secret, and the others' steps may be taken by all.
 */
public final class CertificatePlan {

    /** The next step. */
    public enum Step {
        MAKE,
        ANNOUNCE,
        SHOW,
        REST
    }

    private static final int PARTS = 3;

    private final Duration life;

    /** @param life of each certificate, from its making to its end */
    public CertificatePlan(Duration life) {
        this.life = life;
    }

    /**
     * The next step at {@code now}.
     *
     * @param stored what is in the Secret
     * @param announced the authorities that the API server is told of; empty also if there is no webhook configuration
     * @param shown what is served
     */
    public Step next(
            Instant now, Optional<ServingCertificate> stored, String announced, Optional<ServingCertificate> shown) {
        if (stored.isEmpty() || !now.isBefore(renewal(stored.get()))) {
            return Step.MAKE;
        }
        if (!announced.equals(stored.get().authorities())) {
            return Step.ANNOUNCE;
        }
        return shown.equals(stored) ? Step.REST : Step.SHOW;
    }

    /** Whether a certificate may be shown as soon as it was announced, because there is nothing good to show meanwhile. */
    public boolean mustNotWait(Instant now, Optional<ServingCertificate> shown) {
        return shown.isEmpty() || !now.isBefore(shown.get().expiry());
    }

    private Instant renewal(ServingCertificate certificate) {
        return certificate.expiry().minus(life.dividedBy(PARTS));
    }
}
