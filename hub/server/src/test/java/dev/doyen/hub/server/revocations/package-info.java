/** The package tests the file that stores the revocations of tokens. */
@NullMarked
package dev.doyen.hub.server.revocations;

import org.jspecify.annotations.NullMarked;
