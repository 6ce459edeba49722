/** Tests of the console. */
@NullMarked
package dev.doyen.server.console;

import org.jspecify.annotations.NullMarked;
