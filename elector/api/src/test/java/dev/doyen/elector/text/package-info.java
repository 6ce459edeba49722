/** Tests of the text form of times and durations. */
@NullMarked
package dev.doyen.elector.text;

import org.jspecify.annotations.NullMarked;
