/**
 * The webhook's own certificates, and when they are renewed. Time comes as an input.
 *
 * <p>Entry type: {@link dev.doyen.injector.certificate.CertificatePlan}.
 */
@NullMarked
package dev.doyen.injector.certificate;

import org.jspecify.annotations.NullMarked;
