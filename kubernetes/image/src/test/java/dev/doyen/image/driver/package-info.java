/** Builds images, reads them with other programs, and runs them. */
@NullMarked
package dev.doyen.image.driver;

import org.jspecify.annotations.NullMarked;
