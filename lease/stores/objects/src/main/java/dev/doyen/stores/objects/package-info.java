/**
 * Stores leases and fences in any object store with conditional writes.
 *
 * <p>{@link dev.doyen.stores.objects.ConditionalObjects} is the interface to a service. This package makes all
 * decisions, and the implementations of this interface make none. So the stores use every service in the same way.
 * Start reading at {@link dev.doyen.stores.objects.ObjectLeaseStore}.
 */
@NullMarked
package dev.doyen.stores.objects;

import org.jspecify.annotations.NullMarked;
