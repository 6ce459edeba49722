/** Programs in JVMs of their own, which tests stop and kill, and waiting for what they do. */
@NullMarked
package dev.doyen.jvms;

import org.jspecify.annotations.NullMarked;
