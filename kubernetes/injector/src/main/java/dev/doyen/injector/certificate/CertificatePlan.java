package dev.doyen.injector.certificate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides the next step for the webhook's certificates.
 *
 * <table><caption>Each replica checks these rows in each period; the first row that applies</caption>
 * <tr><td>no valid certificate is stored, or two thirds of its life are over</td><td>make another, and store it unless
 * another replica did</td></tr>
 * <tr><td>the webhook configuration lacks the authorities of the stored certificate</td><td>write them there</td></tr>
 * <tr><td>the webhook serves another certificate than the stored one</td><td>serve the stored one</td></tr>
 * </table>
 *
 * <p>A new certificate is served one period after its authority was announced, so that API servers have read the
 * announcement. Until then the previous certificate is valid, and its authority stays announced beside the new one. The
 * replicas need no leader: if two make a certificate at the same time, compare-and-set in the Secret selects one, and
 * all may do the other steps.
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

    /** @param life the lifetime of each certificate, from its creation to its expiry */
    public CertificatePlan(Duration life) {
        this.life = life;
    }

    /**
     * Returns the next step at {@code now}.
     *
     * @param stored the certificate in the Secret
     * @param announced the authorities in the webhook configuration; also empty if that does not exist
     * @param shown the certificate that the webhook serves
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

    /**
     * Returns whether a new certificate may be served as soon as it was announced.
     *
     * <p>This is so if the webhook has no valid certificate to serve meanwhile.
     */
    public boolean mustNotWait(Instant now, Optional<ServingCertificate> shown) {
        return shown.isEmpty() || !now.isBefore(shown.get().expiry());
    }

    private Instant renewal(ServingCertificate certificate) {
        return certificate.expiry().minus(life.dividedBy(PARTS));
    }
}
