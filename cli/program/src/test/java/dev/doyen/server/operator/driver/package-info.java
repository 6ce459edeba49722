/** Tests of the code that reads stores. */
@NullMarked
package dev.doyen.server.operator.driver;

import org.jspecify.annotations.NullMarked;
