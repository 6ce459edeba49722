/** Tests of the elector's answers, without sockets and clocks. */
@NullMarked
package dev.doyen.elector;

import org.jspecify.annotations.NullMarked;
