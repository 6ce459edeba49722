/**
 * The package stores the revocations of tokens in a file. They survive a restart of a single hub.
 *
 * <p>The hub's machine decides which revocations exist. The only class is {@code RevocationFile}.
 */
@NullMarked
package dev.doyen.hub.server.revocations;

import org.jspecify.annotations.NullMarked;
