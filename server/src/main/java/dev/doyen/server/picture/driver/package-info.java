/** Serves the page at {@code /ring/} and makes its recordings, one at a time. It carries out. */
@NullMarked
package dev.doyen.server.picture.driver;

import org.jspecify.annotations.NullMarked;
