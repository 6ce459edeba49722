/**
 * The TLS certificates of servers, and other values from files. The package decides when a changed file replaces the
 * value.
 *
 * <p>The package uses only the JDK's TLS, and no sockets. Start with {@code ServerTls}, and with {@code ReloadedFiles} for
 * other files.
 */
@NullMarked
package dev.doyen.elector.tls;

import org.jspecify.annotations.NullMarked;
