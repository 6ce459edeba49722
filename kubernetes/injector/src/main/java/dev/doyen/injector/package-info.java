/**
 * Decides which fields the injector adds to a pod that requests an elector.
 *
 * <p>The classes of this package do no I/O. Sources: {@code admission.k8s.io/v1} and {@code v1.Pod} of the Kubernetes
 * API. The container is the same as in NAIS's naiserator, so that users of naiserator need no change. Start with
 * {@link dev.doyen.injector.Injection} and {@link dev.doyen.injector.AdmissionReview}.
 */
@NullMarked
package dev.doyen.injector;

import org.jspecify.annotations.NullMarked;
