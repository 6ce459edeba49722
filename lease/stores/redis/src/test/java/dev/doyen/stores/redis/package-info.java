/** Tests the store, mostly against real Redis servers. */
@NullMarked
package dev.doyen.stores.redis;

import org.jspecify.annotations.NullMarked;
