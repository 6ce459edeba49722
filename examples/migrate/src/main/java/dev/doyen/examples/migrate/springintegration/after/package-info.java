/** Contains the orders application with Doyen. */
@NullMarked
package dev.doyen.examples.migrate.springintegration.after;

import org.jspecify.annotations.NullMarked;
