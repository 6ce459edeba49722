/**
 * Stores leases in one Redis or Valkey server, for URLs {@code redis://host:6379/prefix}.
 *
 * <p>The server's settings determine the store's promises; {@link dev.doyen.stores.redis.RedisDurability} evaluates the
 * settings. Start reading at {@link dev.doyen.stores.redis.RedisLeaseStore}. docs/reference/store-redis.md lists the
 * required settings.
 */
@NullMarked
package dev.doyen.stores.redis;

import org.jspecify.annotations.NullMarked;
