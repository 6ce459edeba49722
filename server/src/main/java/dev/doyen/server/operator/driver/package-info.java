/** Looks at stores for the operator's commands: reads clocks, waits and calls stores, and decides nothing. */
@NullMarked
package dev.doyen.server.operator.driver;

import org.jspecify.annotations.NullMarked;
