/**
 * The package counts the usage of keys, clients and addresses, and enforces their quotas.
 *
 * <p>The package decides whether an account has room for more. The package calls {@code auth}, {@code ratelimit},
 * {@code settings} and {@code wire}. Start reading at {@link dev.doyen.hub.quota.Accounts}.
 */
@NullMarked
package dev.doyen.hub.quota;

import org.jspecify.annotations.NullMarked;
