/** Starts programs in separate JVMs, freezes and kills them, and waits for what they do. For tests only. */
@NullMarked
package dev.doyen.jvms;

import org.jspecify.annotations.NullMarked;
