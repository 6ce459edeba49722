/**
 * Builds images, and adds Java to the tarballs of the program.
 *
 * <p>The package links a runtime, runs the rehearsal for the class-data archive, and writes the tar. The package reads
 * files and runs tools. Start with {@code ImageBuild} or {@code BundleProgram}.
 */
@NullMarked
package dev.doyen.image.driver;

import org.jspecify.annotations.NullMarked;
