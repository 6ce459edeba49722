/** Tests of the driver of a run. */
@NullMarked
package dev.doyen.server.run.driver;

import org.jspecify.annotations.NullMarked;
