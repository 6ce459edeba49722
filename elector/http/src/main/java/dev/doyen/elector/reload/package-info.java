/**
 * Values that a program reads again from changed files.
 *
 * <p>The package decides when a changed file replaces the current value, and what happens to a file that cannot be
 * used. It calls only {@code dev.doyen.log}. Start reading at {@link dev.doyen.elector.reload.ReloadedFiles}.
 */
@NullMarked
package dev.doyen.elector.reload;

import org.jspecify.annotations.NullMarked;
