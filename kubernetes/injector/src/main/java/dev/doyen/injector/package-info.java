/**
 * Decides what is added to a pod that asks for an elector.
 *
 * <p>Classes here do no I/O. Sources: {@code admission.k8s.io/v1} and {@code v1.Pod} of the Kubernetes API; the
 * container is that of NAIS's naiserator, so that nothing changes for its users. Start reading at
 * {@link dev.doyen.injector.Injection} and {@link dev.doyen.injector.AdmissionReview}.
 */
@NullMarked
package dev.doyen.injector;

import org.jspecify.annotations.NullMarked;
