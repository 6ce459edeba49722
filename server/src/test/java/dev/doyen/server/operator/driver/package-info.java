/** Tests of what looks at stores. */
@NullMarked
package dev.doyen.server.operator.driver;

import org.jspecify.annotations.NullMarked;
