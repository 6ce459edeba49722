/**
 * Stores leases as Lease objects of Kubernetes, for URLs {@code kubernetes:NAMESPACE}.
 *
 * <p>Start reading at {@link dev.doyen.stores.kubernetes.KubernetesLeaseStore}. docs/reference/store-kubernetes.md
 * lists what the store requires of the cluster. docs/spec/kubernetes-lease.md has the rules.
 */
@NullMarked
package dev.doyen.stores.kubernetes;

import org.jspecify.annotations.NullMarked;
