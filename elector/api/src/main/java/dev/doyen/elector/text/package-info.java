/** The text form of times, terms, leaders and admin commands. All programs of Doyen use the same text form. */
@NullMarked
package dev.doyen.elector.text;

import org.jspecify.annotations.NullMarked;
