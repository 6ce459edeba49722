/** Led by who has Spring Integration's lock and Doyen's lease: while one replaces the other. */
@NullMarked
package dev.doyen.examples.migrate.springintegration.both;

import org.jspecify.annotations.NullMarked;
