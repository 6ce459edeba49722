/** What the console shows of a hub. */
@NullMarked
package dev.doyen.hub.server.console;

import org.jspecify.annotations.NullMarked;
