/** Tests. */
@NullMarked
package dev.doyen.process;

import org.jspecify.annotations.NullMarked;
