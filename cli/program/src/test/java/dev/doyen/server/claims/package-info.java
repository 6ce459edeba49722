/** Tests of the claims, without real time. */
@NullMarked
package dev.doyen.server.claims;

import org.jspecify.annotations.NullMarked;
