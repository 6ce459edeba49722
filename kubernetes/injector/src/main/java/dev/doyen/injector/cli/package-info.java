/**
 * The program {@code doyen injector}: its options, its log and its exit codes.
 *
 * <p>The package starts the classes of {@code driver}. Start with {@code Injector}.
 */
@NullMarked
package dev.doyen.injector.cli;

import org.jspecify.annotations.NullMarked;
