/** Tests. */
@NullMarked
package dev.doyen.program;

import org.jspecify.annotations.NullMarked;
