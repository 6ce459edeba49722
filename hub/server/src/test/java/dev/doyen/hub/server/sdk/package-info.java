/**
 * Tests of the whole server with an official, unmodified SDK.
 *
 * <p>They show how the SDK interprets the server's frames, independently of this project's own codec.
 */
@NullMarked
package dev.doyen.hub.server.sdk;

import org.jspecify.annotations.NullMarked;
