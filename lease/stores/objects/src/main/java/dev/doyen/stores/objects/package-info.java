/**
 * Leases and fences on any object store with conditional writes.
 *
 * <p>{@link dev.doyen.stores.objects.ConditionalObjects} is the port to a service. This package makes all decisions, so
 * that they are the same on every service. Start reading at {@link dev.doyen.stores.objects.ObjectLeaseStore}.
 */
@NullMarked
package dev.doyen.stores.objects;

import org.jspecify.annotations.NullMarked;
