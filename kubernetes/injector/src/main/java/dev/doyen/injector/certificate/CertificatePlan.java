package dev.doyen.injector.certificate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides the next step for the webhook's certificates. In each period, each replica carries out steps until no step is
 * necessary. After a replica has written an announcement, it waits for the next period if its current certificate has
 * not expired.
 *
 * <table><caption>The next step is in the first row whose condition holds.</caption>
 * <tr><td>No valid certificate is stored, or two thirds of the stored certificate's lifetime have
 * passed.</td><td>Create a certificate, and store it unless another replica has stored one.</td></tr>
 * <tr><td>The authorities in the webhook configuration differ from the authorities of the stored
 * certificate.</td><td>Write the authorities of the stored certificate into the webhook configuration.</td></tr>
 * <tr><td>The webhook does not serve the stored certificate.</td><td>Serve the stored certificate.</td></tr>
 * </table>
 *
 * <p>The webhook configuration announces the authorities to the API servers. If the certificate of the announcing
 * replica has not expired, this replica waits one period, so that the API servers can read the announcement. During
 * this period, the replica serves the previous certificate. The configuration contains the authorities of the previous
 * and of the new certificate. The other replicas serve the new certificate in their next period. The replicas need no
 * leader. If two replicas create a certificate at the same time, a compare-and-set on the Secret selects one of the
 * certificates. Any replica can carry out the other steps.
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
     * @param announced the authorities in the webhook configuration; empty if the configuration contains none
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
     * Returns true if the webhook may serve a new certificate immediately after its announcement.
     *
     * <p>The result is true if the webhook serves no certificate or an expired certificate.
     */
    public boolean mustNotWait(Instant now, Optional<ServingCertificate> shown) {
        return shown.isEmpty() || !now.isBefore(shown.get().expiry());
    }

    private Instant renewal(ServingCertificate certificate) {
        return certificate.expiry().minus(life.dividedBy(PARTS));
    }
}
