/** Tests of what goes where. */
@NullMarked
package dev.doyen.image;

import org.jspecify.annotations.NullMarked;
