/** Makes images: links a runtime, rehearses the program for its class-data archive, and writes the tar. */
@NullMarked
package dev.doyen.image.driver;

import org.jspecify.annotations.NullMarked;
