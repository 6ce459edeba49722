/** Signals, the search path, and processes that end with their parent. */
@NullMarked
package dev.doyen.process;

import org.jspecify.annotations.NullMarked;
