/**
 * Leases and fences on any store of objects that knows conditional writes. {@link
 * dev.doyen.stores.objects.ConditionalObjects} is the port to the service; everything that decides is here, so that it
 * is decided once for all services.
 */
@NullMarked
package dev.doyen.stores.objects;

import org.jspecify.annotations.NullMarked;
