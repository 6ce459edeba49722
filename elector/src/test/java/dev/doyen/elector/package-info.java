/** Tests of the elector's answers, all without a socket or a clock. */
@NullMarked
package dev.doyen.elector;

import org.jspecify.annotations.NullMarked;
