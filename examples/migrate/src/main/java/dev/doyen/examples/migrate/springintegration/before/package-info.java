/** Contains the orders application with Spring Integration. */
@NullMarked
package dev.doyen.examples.migrate.springintegration.before;

import org.jspecify.annotations.NullMarked;
