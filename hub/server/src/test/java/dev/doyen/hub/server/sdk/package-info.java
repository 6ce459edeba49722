/**
 * The package tests the whole server with an official, unmodified SDK.
 *
 * <p>The tests show how the SDK interprets the frames of the server, independently of the codec of this project.
 */
@NullMarked
package dev.doyen.hub.server.sdk;

import org.jspecify.annotations.NullMarked;
