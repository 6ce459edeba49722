/** Tests of the recorder for the ring visualizer. */
@NullMarked
package dev.doyen.demo.ring;

import org.jspecify.annotations.NullMarked;
