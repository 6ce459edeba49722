/**
 * The threads, sockets and clocks of the injector: its webhook, certificate renewal and controller.
 *
 * <p>It executes what the packages {@code injector}, {@code certificate} and {@code controller} decide. Start reading
 * at {@link dev.doyen.injector.driver.InjectorProgram}.
 */
@NullMarked
package dev.doyen.injector.driver;

import org.jspecify.annotations.NullMarked;
