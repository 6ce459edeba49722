/** Tests of the recorder for the ring visualizer. */
@NullMarked
package dev.doyen.server.picture;

import org.jspecify.annotations.NullMarked;
