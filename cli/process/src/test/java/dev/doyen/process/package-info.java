/** Tests how programs are found on the search path. */
@NullMarked
package dev.doyen.process;

import org.jspecify.annotations.NullMarked;
