/**
 * Decides which fields the injector adds to a pod that requests an elector.
 *
 * <p>The classes of this package do no I/O. Sources: {@code admission.k8s.io/v1} and {@code v1.Pod} of the Kubernetes
 * API. The container differs from the container of NAIS's naiserator only in a few fields, which
 * docs/reference/injector.md lists. So users of naiserator need no change. Start with {@link
 * dev.doyen.injector.Injection} and {@link dev.doyen.injector.AdmissionReview}. {@code AppObservation} decides how the
 * elector observes the application.
 */
@NullMarked
package dev.doyen.injector;

import org.jspecify.annotations.NullMarked;
