/** A real Kubernetes API server for tests: etcd, kube-apiserver and, if asked for, kube-controller-manager, as processes. */
@NullMarked
package dev.doyen.kubernetesserver;

import org.jspecify.annotations.NullMarked;
