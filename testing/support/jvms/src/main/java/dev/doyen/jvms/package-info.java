/** Starts, freezes and kills programs in separate JVMs, and waits for their output. Only tests use this package. */
@NullMarked
package dev.doyen.jvms;

import org.jspecify.annotations.NullMarked;
