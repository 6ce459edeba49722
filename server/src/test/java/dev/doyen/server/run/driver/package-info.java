/** Tests of the parts that carry a run out. */
@NullMarked
package dev.doyen.server.run.driver;

import org.jspecify.annotations.NullMarked;
