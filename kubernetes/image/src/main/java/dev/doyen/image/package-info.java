/**
 * Decides what a container image contains, and where.
 *
 * <p>Classes here do no I/O; {@code driver} reads, runs tools and writes. Start reading at
 * {@link dev.doyen.image.Recipe}.
 */
@NullMarked
package dev.doyen.image;

import org.jspecify.annotations.NullMarked;
