/** {@code doyen ring}: a process that stands in an election on a ring, and tells over HTTP who leads. It carries out. */
@NullMarked
package dev.doyen.server.ring;

import org.jspecify.annotations.NullMarked;
