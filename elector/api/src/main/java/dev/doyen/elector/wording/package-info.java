/** The text form of times, leaders and admin commands, the same in all answers and commands. */
@NullMarked
package dev.doyen.elector.wording;

import org.jspecify.annotations.NullMarked;
