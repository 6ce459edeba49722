/** Tests of the run machine. The tests use no clock and start no process. */
@NullMarked
package dev.doyen.cli.run;

import org.jspecify.annotations.NullMarked;
