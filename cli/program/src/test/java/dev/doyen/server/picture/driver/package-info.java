/** Tests of the ring visualizer's recordings over HTTP. */
@NullMarked
package dev.doyen.server.picture.driver;

import org.jspecify.annotations.NullMarked;
