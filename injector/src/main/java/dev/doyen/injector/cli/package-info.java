/** The program {@code doyen injector}: its options, its log and its exit codes. Entry type: {@code Injector}. */
@NullMarked
package dev.doyen.injector.cli;

import org.jspecify.annotations.NullMarked;
