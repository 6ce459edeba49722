/**
 * Leases in one Redis (or Valkey) server: {@code redis://host:6379/prefix}. What such a server can promise depends on its
 * settings, which {@link dev.doyen.stores.redis.RedisPromises} reads; docs/reference/store-redis.md says what to set.
 */
@NullMarked
package dev.doyen.stores.redis;

import org.jspecify.annotations.NullMarked;
