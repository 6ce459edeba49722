/** Step tests of the run machine. */
@NullMarked
package dev.doyen.cli.run;

import org.jspecify.annotations.NullMarked;
