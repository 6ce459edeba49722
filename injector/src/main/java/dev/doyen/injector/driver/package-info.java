/**
 * The threads, sockets and clocks of the injector: the webhook's server, the keeper of its certificates, and the controller.
 *
 * <p>Entry type: {@link dev.doyen.injector.driver.InjectorProgram}.
 */
@NullMarked
package dev.doyen.injector.driver;

import org.jspecify.annotations.NullMarked;
