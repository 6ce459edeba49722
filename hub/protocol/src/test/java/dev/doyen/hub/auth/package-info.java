/** The package tests keys, tokens, capabilities and revocations. */
@NullMarked
package dev.doyen.hub.auth;

import org.jspecify.annotations.NullMarked;
