/** The same work three times: led by another library, by that and Doyen while one replaces the other, and by Doyen. */
@NullMarked
package dev.doyen.examples.migrate;

import org.jspecify.annotations.NullMarked;
