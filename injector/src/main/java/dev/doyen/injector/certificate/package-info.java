/**
 * The webhook's own certificates: how they are made, and when they are renewed. Time comes as an input.
 *
 * <p>Entry types: {@link dev.doyen.injector.certificate.CertificatePlan}, {@link
 * dev.doyen.injector.certificate.CertificateMaker}.
 */
@NullMarked
package dev.doyen.injector.certificate;

import org.jspecify.annotations.NullMarked;
