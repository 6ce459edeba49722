/**
 * Leases as Kubernetes' own Lease objects: {@code kubernetes:NAMESPACE}. docs/reference/store-kubernetes.md says what it
 * asks of the cluster, docs/spec/kubernetes-lease.md how a lease and a Lease are one.
 */
@NullMarked
package dev.doyen.stores.kubernetes;

import org.jspecify.annotations.NullMarked;
