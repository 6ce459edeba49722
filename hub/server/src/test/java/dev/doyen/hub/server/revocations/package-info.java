/**
 * Tests of the file with the revocations of tokens.
 */
@NullMarked
package dev.doyen.hub.server.revocations;

import org.jspecify.annotations.NullMarked;
