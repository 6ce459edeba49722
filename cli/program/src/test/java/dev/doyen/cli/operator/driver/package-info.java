/** Tests of the code that reads stores. */
@NullMarked
package dev.doyen.cli.operator.driver;

import org.jspecify.annotations.NullMarked;
