/**
 * The program {@code doyen injector}: its options, its log and its exit codes.
 *
 * <p>It starts the classes of {@code driver}. Start reading at {@code Injector}.
 */
@NullMarked
package dev.doyen.injector.cli;

import org.jspecify.annotations.NullMarked;
