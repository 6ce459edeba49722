/**
 * Starts a real Kubernetes API server for tests.
 *
 * <p>The package starts etcd, kube-apiserver and, on request, kube-controller-manager as processes. Start reading at
 * {@link dev.doyen.kubernetesserver.KubernetesServer}.
 */
@NullMarked
package dev.doyen.kubernetesserver;

import org.jspecify.annotations.NullMarked;
