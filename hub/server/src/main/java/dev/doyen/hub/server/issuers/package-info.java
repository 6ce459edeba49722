/**
 * The keys of trusted token issuers, from files and URLs.
 *
 * <p>The package decides when a key set is read again. It reads on its own threads, so that a slow server never
 * delays the hub. Start with {@code IssuerKeySources}.
 */
@NullMarked
package dev.doyen.hub.server.issuers;

import org.jspecify.annotations.NullMarked;
