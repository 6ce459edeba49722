/** Tests of the {@code doyen ring} process. */
@NullMarked
package dev.doyen.group.process;

import org.jspecify.annotations.NullMarked;
