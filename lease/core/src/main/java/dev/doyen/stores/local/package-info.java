/**
 * The stores that need no server.
 *
 * <p>They store the leases in memory, in a directory of one computer, or in a folder that several computers share.
 * Start with {@code FileLeaseStore}.
 */
@NullMarked
package dev.doyen.stores.local;

import org.jspecify.annotations.NullMarked;
