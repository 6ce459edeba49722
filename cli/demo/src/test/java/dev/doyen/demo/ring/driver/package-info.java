/** Tests of the ring visualizer's recordings over HTTP. */
@NullMarked
package dev.doyen.demo.ring.driver;

import org.jspecify.annotations.NullMarked;
