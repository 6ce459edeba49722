/**
 * Decides when the webhook's certificates are renewed, announced and served.
 *
 * <p>Classes here do no I/O and read no clock; time is an argument. Start reading at
 * {@link dev.doyen.injector.certificate.CertificatePlan}.
 */
@NullMarked
package dev.doyen.injector.certificate;

import org.jspecify.annotations.NullMarked;
