/** An official SDK, unmodified, against the whole server: what it makes of our frames, not what we make of them. */
@NullMarked
package dev.doyen.server.sdk;

import org.jspecify.annotations.NullMarked;
