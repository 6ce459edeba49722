/**
 * Decides when the webhook's certificates are renewed, and when they are served.
 *
 * <p>The classes of this package do no I/O and read no clock. The time is an argument. Start with
 * {@link dev.doyen.injector.certificate.CertificatePlan}.
 */
@NullMarked
package dev.doyen.injector.certificate;

import org.jspecify.annotations.NullMarked;
