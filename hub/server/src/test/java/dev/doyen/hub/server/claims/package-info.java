/** The package tests the claims, mostly without real time. */
@NullMarked
package dev.doyen.hub.server.claims;

import org.jspecify.annotations.NullMarked;
