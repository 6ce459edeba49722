/** Tests of a ring member as a process. */
@NullMarked
package dev.doyen.group.process;

import org.jspecify.annotations.NullMarked;
