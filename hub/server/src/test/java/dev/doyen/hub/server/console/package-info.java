/** The package tests the console of a hub. */
@NullMarked
package dev.doyen.hub.server.console;

import org.jspecify.annotations.NullMarked;
