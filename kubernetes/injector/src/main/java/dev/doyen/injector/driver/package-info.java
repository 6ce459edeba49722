/**
 * Runs the threads and sockets of the injector for its webhook, certificate renewal and controller.
 *
 * <p>This package carries out the decisions of the packages {@code injector}, {@code certificate} and
 * {@code controller}. Start with {@link dev.doyen.injector.driver.InjectorProgram}.
 */
@NullMarked
package dev.doyen.injector.driver;

import org.jspecify.annotations.NullMarked;
