/** Images are made, read by other programs than made them, and run. */
@NullMarked
package dev.doyen.image.driver;

import org.jspecify.annotations.NullMarked;
