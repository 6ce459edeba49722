/** Tests. */
@NullMarked
package dev.doyen.group.process;

import org.jspecify.annotations.NullMarked;
