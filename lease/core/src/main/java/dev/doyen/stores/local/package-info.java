/**
 * The stores that need no server: in memory, in a directory of one machine, and in a folder that machines share.
 *
 * <p>They call the store port and the JDK only. Start with {@code FileLeaseStore}.
 */
@NullMarked
package dev.doyen.stores.local;

import org.jspecify.annotations.NullMarked;
