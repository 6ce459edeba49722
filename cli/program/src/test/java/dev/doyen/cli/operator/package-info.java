/** Tests how the commands evaluate records that they have read from a store. The tests use no clock and do not wait. */
@NullMarked
package dev.doyen.cli.operator;

import org.jspecify.annotations.NullMarked;
