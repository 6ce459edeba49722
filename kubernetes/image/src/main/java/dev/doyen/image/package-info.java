/**
 * Decides which files a container image contains, and their paths.
 *
 * <p>The classes of this package do no I/O. The package {@code driver} reads files, runs tools and writes files. Start
 * with {@link dev.doyen.image.Recipe}.
 */
@NullMarked
package dev.doyen.image;

import org.jspecify.annotations.NullMarked;
