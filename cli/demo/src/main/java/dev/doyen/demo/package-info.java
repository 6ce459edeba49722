/** The pages of {@code ./doyen demo}, which a hub serves. */
@NullMarked
package dev.doyen.demo;

import org.jspecify.annotations.NullMarked;
