/**
 * The package counts what each key, client and address uses, and rejects what exceeds its quota.
 *
 * <p>The package knows accounts and amounts, and calls nothing but the settings, the token buckets and the error codes.
 * The rules of connections, channels, claims and presence call it. Start reading at {@link
 * dev.doyen.hub.quota.Accounts}.
 */
@NullMarked
package dev.doyen.hub.quota;

import org.jspecify.annotations.NullMarked;
