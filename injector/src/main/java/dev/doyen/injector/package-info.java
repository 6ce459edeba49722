/**
 * What is added to a pod that asks for an elector, decided without I/O: value in, value out.
 *
 * <p>Entry types: {@link dev.doyen.injector.Injection}, {@link dev.doyen.injector.AdmissionReview}. Source: the Kubernetes
 * API's {@code admission.k8s.io/v1} and {@code v1.Pod}; what the container looks like is NAIS' naiserator's, whose users
 * are to find nothing changed.
 */
@NullMarked
package dev.doyen.injector;

import org.jspecify.annotations.NullMarked;
