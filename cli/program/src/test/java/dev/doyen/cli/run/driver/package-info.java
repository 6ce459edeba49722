/** Tests of the driver of a run. */
@NullMarked
package dev.doyen.cli.run.driver;

import org.jspecify.annotations.NullMarked;
