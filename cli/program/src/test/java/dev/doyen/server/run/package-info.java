/** Step tests of the run machine. */
@NullMarked
package dev.doyen.server.run;

import org.jspecify.annotations.NullMarked;
