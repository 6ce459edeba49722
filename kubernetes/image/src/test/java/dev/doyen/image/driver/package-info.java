/** Tests that build images, read them with other programs, and run them. */
@NullMarked
package dev.doyen.image.driver;

import org.jspecify.annotations.NullMarked;
