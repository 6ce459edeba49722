/** Tests of the console. */
@NullMarked
package dev.doyen.elector.console;

import org.jspecify.annotations.NullMarked;
