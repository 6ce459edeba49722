/** Tests of the text form. */
@NullMarked
package dev.doyen.elector.wording;

import org.jspecify.annotations.NullMarked;
