/** Tests. */
@NullMarked
package dev.doyen.hub.server.console;

import org.jspecify.annotations.NullMarked;
