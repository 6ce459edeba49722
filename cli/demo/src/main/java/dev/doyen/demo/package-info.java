/** The pages of the demo that need a hub. */
@NullMarked
package dev.doyen.demo;

import org.jspecify.annotations.NullMarked;
