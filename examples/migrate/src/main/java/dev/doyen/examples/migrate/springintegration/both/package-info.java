/** With Spring Integration's lock and Doyen's lease, during the migration. */
@NullMarked
package dev.doyen.examples.migrate.springintegration.both;

import org.jspecify.annotations.NullMarked;
