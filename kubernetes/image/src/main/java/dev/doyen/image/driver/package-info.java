/**
 * Builds images.
 *
 * <p>It links a runtime, runs the rehearsal for the class-data archive, and writes the tar. It reads files and runs
 * tools. Start reading at {@code ImageBuild}.
 */
@NullMarked
package dev.doyen.image.driver;

import org.jspecify.annotations.NullMarked;
